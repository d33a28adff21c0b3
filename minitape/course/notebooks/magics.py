"""Magics for the course in notebooks, which `%load_ext minitape` loads.

    %check 03/ex2      checks the answer in the last run cell with the lines # TODO and # END
    %hint 03/ex2       shows the next hint
    %solution 03/ex2   shows a solution, if the course allows it

The block of that cell is put into the exercise's file, and that file is checked in a process of its own, as `minitape lesson run`
and `minitape lesson grade` do.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.display import Markdown, display

if TYPE_CHECKING:
    from minitape.course.attempts import Attempt
    from minitape.course.course import Course, Exercise
    from minitape.course.progress import ExerciseProgress
    from minitape.course.workspace import Workspace

_NAMES = ("check", "hint", "solution")


def load_ipython_extension(shell: Any) -> None:
    """Register the magics of minitape and of the course; `%load_ext minitape` calls this function."""
    from minitape.debug import magics

    magics.load_ipython_extension(shell)
    lessons = CourseMagics(shell)
    for name in _NAMES:
        shell.register_magic_function(getattr(lessons, name), magic_kind="line")


def unload_ipython_extension(shell: Any) -> None:
    """Remove the magics; `%unload_ext minitape` calls this function."""
    from minitape.debug import magics

    magics.unload_ipython_extension(shell)
    for name in _NAMES:
        del shell.magics_manager.magics["line"][name]


class CourseMagics:
    """The magics of one shell.

    Attempts and hints are counted in the course folder if the notebook is in one; otherwise, they are counted as long as the
    kernel runs.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._entries: dict[str, ExerciseProgress] = {}

    def check(self, line: str) -> None:
        """Check your answer to an exercise: %check 03/ex2.

        The answer is the block between # TODO and # END in the cell that you ran last.
        """
        from minitape.course import messages
        from minitape.course.attempts import attempt, attempt_here
        from minitape.course.explaining import is_offered, within_block
        from minitape.explain.answer import Explanation
        from minitape.explain.explain import explain

        exercise, _ = self._named("check", line)
        text = self._text(exercise)
        with tempfile.TemporaryDirectory(prefix="minitape-", ignore_cleanup_errors=True) as folder:
            file = Path(folder, f"{exercise.name}.py")
            file.write_text(text, encoding="utf-8")
            came = (attempt if _has_processes() else attempt_here)(exercise, file)
            entry = self._record(exercise, came, file)
        print("\n".join(_in_lines(exercise, came)))
        if came.ok:
            display(Markdown(exercise.debrief.strip()))  # type: ignore[no-untyped-call]
        elif came.codes and not _is_typed(came) and is_offered(exercise, entry):
            display(Explanation(within_block(explain(came.trace), text)))  # type: ignore[no-untyped-call]
        else:
            print(messages.MAGIC_HINT.format(name=exercise.short))

    def hint(self, line: str) -> None:
        """Show the next hint for an exercise: %hint 03/ex2."""
        from msgspec import structs

        from minitape.course.explaining import first_hint

        exercise, _ = self._named("hint", line)
        entry = self._entry(exercise)
        most = len(exercise.hints)
        level = min(entry.hints + 1, most)
        text = exercise.hints[level - 1]
        if level == 1:
            text = first_hint(exercise, entry, self._text(exercise, or_starter=True)) or text
        workspace = _workspace()
        if workspace is not None:
            workspace.progress.hinted(exercise, level)
        else:
            self._entries[exercise.id] = structs.replace(entry, hints=level)
        print(f"hint {level} of {most}\n{text.strip()}")

    def solution(self, line: str) -> None:
        """Show a solution of an exercise, if the course allows it: %solution 03/ex2."""
        from minitape.course import messages
        from minitape.course.block import block_text
        from minitape.storage import read_text

        exercise, course = self._named("solution", line)
        file = course.solution(exercise)
        if file is None:
            print(messages.NO_SOLUTION)
            return
        if not self._entry(exercise).tries:
            print(messages.TRY_BEFORE_SOLUTION.format(name=exercise.short))
            return
        print(block_text(read_text(file)))

    # --- the course and the answer ---

    def _named(self, magic: str, line: str) -> tuple[Exercise, Course]:
        """Return the exercise that a magic names, and its course."""
        from minitape.course.course import course
        from minitape.errors import CourseError

        if not line.strip():
            raise UsageError(f"name an exercise\n  try : %{magic} 03/ex2")
        workspace = _workspace()
        taught = course() if workspace is None else workspace.course
        try:
            return taught.exercise(line.strip()), taught
        except CourseError as error:
            raise UsageError(str(error)) from None

    def _text(self, exercise: Exercise, *, or_starter: bool = False) -> str:
        """Return the exercise's file with the student's block in it."""
        from minitape.course import messages
        from minitape.course.block import inserted
        from minitape.storage import read_text

        starter = read_text(exercise.starter)
        cells = [str(each) for each in self._shell.user_ns.get("In", ())]
        text = inserted(starter, cells)
        if text is None and not or_starter:
            raise UsageError(messages.NO_BLOCK_RUN)
        return starter if text is None else text

    def _entry(self, exercise: Exercise) -> ExerciseProgress:
        from minitape.course.progress import ExerciseProgress

        workspace = _workspace()
        if workspace is not None:
            return workspace.progress.entry(exercise)
        return self._entries.get(exercise.id, ExerciseProgress())

    def _record(self, exercise: Exercise, came: Attempt, file: Path) -> ExerciseProgress:
        from minitape.course.course import course
        from minitape.course.progress import after_attempt, stamp

        workspace = _workspace()
        if workspace is not None:
            workspace.progress.tried(workspace.course, exercise, file, came)
            return workspace.progress.entry(exercise)
        entry = after_attempt(self._entry(exercise), came, stamp(course(), file))
        self._entries[exercise.id] = entry
        return entry


def _has_processes() -> bool:
    """Whether other processes can be started and watched; a browser has no processes, and watching needs psutil."""
    return sys.platform != "emscripten" and importlib.util.find_spec("psutil") is not None


def _workspace() -> Workspace | None:
    """Return the course folder around the notebook, if there is one."""
    from minitape.course.workspace import found

    return found()


def _is_typed(came: Attempt) -> bool:
    """Whether the first failed check is of a typed answer, which an explanation would reveal."""
    return came.failed is not None and came.failed.kind in ("prediction", "order", "choice")


def _in_lines(exercise: Exercise, came: Attempt) -> list[str]:
    """Return the result as lines: the checks that pass, the other checks that fail, and the first failed check last."""
    from minitape.course import messages

    lines = [f"✓ {each.what}" for each in came.checks if each.ok]
    others = [each for each in came.checks if not each.ok and each is not came.failed]
    if others:
        lines.append(messages.MORE_FAIL.format(checks=messages.counted(len(others), "more check")))
    if came.message:
        lines.append(came.message.strip())
    if came.failed is not None:
        what, fix = came.failed.what, came.failed.fix
        if came.failed.kind == "codes" and exercise.explanation != "always":
            what, fix = messages.CAUSE_REMAINS, messages.FIND_IT_FIRST
        lines.append(f"✗ {what}")
        lines += [f"  try : {fix}"] if fix else []
    held = sum(each.ok for each in came.checks)
    passed = messages.ALL_PASS if came.ok else messages.SOME_PASS
    lines.append(passed.format(held=held, all=len(exercise.checks)))
    return lines
