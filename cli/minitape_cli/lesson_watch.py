"""`minitape lesson watch`: what happens when a key is pressed or a file is saved; it does not read the terminal itself.

LessonWatch  the current exercise, its last attempt, and the action of each key
KEYS         the keys, as the last line shows them
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from minitape.storage import read_file
from minitape_cli import messages
from minitape_cli.coaching import emit, explain, show_hint, show_picture, tried
from minitape_cli.console import Terminal
from minitape_cli.file_changes import Glimpse

if TYPE_CHECKING:
    from minitape.course.attempts import Attempt
    from minitape.course.course import Exercise
    from minitape.course.workspace import Workspace

KEYS = (
    ("n", "next"),
    ("r", "run"),
    ("h", "hint"),
    ("s", "see"),
    ("e", "explain"),
    ("o", "open"),
    ("l", "list"),
    ("x", "reset"),
    ("q", "quit"),
)


class LessonWatch:
    """Guides a student through the exercises.

    Args:
        workspace: The course folder.
        exercise: The exercise to start with.
        terminal: Where results are printed.
        suspended: Returns a context in which another program can use the terminal.
    """

    def __init__(
        self,
        workspace: "Workspace",
        exercise: "Exercise",
        terminal: Terminal,
        suspended: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.is_over = False
        self._workspace, self._terminal, self._suspended = workspace, terminal, suspended
        self._requested_reset = False
        self._take(exercise)

    def _take(self, exercise: "Exercise") -> None:
        self.exercise = exercise
        self._came: Attempt | None = None
        self._glimpse = Glimpse(self._file)

    @property
    def _file(self) -> Path:
        return self._workspace.file(self.exercise)

    # --- what happens ---

    def begin(self) -> None:
        """Print the task of the exercise, and check the file."""
        from minitape_cli.views import lesson as views

        self._terminal.clear()
        self._terminal.rule(f"{self.exercise.short}  {self.exercise.title}{self._position()}")
        for line in views.opening(self._workspace, self.exercise):
            self._terminal.show(line)
        if self._fault() is None:
            self._terminal.show_page(views.statement(self._file))
            self._terminal.say("")
        self.run()

    def look(self) -> bool:
        """Check the file if it was saved with new content; returns whether it was."""
        if not self._glimpse.is_new():
            return False
        self._terminal.clear()
        self._terminal.rule(
            messages.WAS_SAVED.format(exercise=self.exercise.short) + self._position()
        )
        self.run()
        return True

    def _position(self) -> str:
        """Return the position of the exercise among all."""
        every = self._workspace.exercises
        if self.exercise not in every:
            return ""
        number = every.index(self.exercise) + 1
        return messages.POSITION.format(number=number, total=len(every))

    def press(self, key: str) -> None:
        """Execute the action of a key; unknown keys are ignored."""
        requested_reset, self._requested_reset = self._requested_reset, False
        if key in ("ctrl-c", "ctrl-d", "q"):
            self.is_over = True
        elif key == "x":
            self._reset(is_sure=requested_reset)
        elif key in _DOES:
            _DOES[key](self)

    def run(self) -> None:
        """Check the file and print the result."""
        self._glimpse = Glimpse(self._file)
        fault = self._fault()
        if fault is not None:
            is_gone = isinstance(fault, FileNotFoundError)
            what = messages.FILE_IS_MISSING if is_gone else messages.FILE_CANNOT_BE_READ
            self._terminal.complain(
                what.format(path=self._file, reason=fault.strerror), "press x to restore it"
            )
            return
        came = self._came = tried(self._workspace, self.exercise, self._terminal)
        emit(self._workspace, self.exercise, came, self._terminal)
        self._stand()

    def _fault(self) -> OSError | None:
        """Return the error that reading the file raises; None if it can be read."""
        try:
            read_file(self._file)
        except OSError as error:
            return error
        return None

    # --- the keys ---

    def next(self) -> None:
        """Go to the next exercise, even if this one has not passed."""
        from minitape.course.progress import State
        from minitape_cli.views import lesson as views

        before = self.exercise
        if self._workspace.state(before) is not State.PASSED:
            self._workspace.progress.skipped(before)
        following = self._workspace.pending(before)
        if following is not None and following is not before:
            self._take(following)
            self.begin()
        elif following is None:
            for line in views.farewell(self._workspace.course):
                self._terminal.show(line)
            self.is_over = True
        else:
            self._terminal.say(messages.LAST_OPEN)

    def hint(self) -> None:
        show_hint(self._workspace, self.exercise, self._terminal)
        self._stand()

    def see(self) -> None:
        if self._came is not None:
            show_picture(self._workspace, self.exercise, self._came, self._terminal)

    def explain(self) -> None:
        if self._came is not None:
            explain(self._workspace, self.exercise, self._came, self._terminal)

    def list(self) -> None:
        from minitape_cli.views import lesson as views

        self._terminal.show(views.listing(self._workspace, None, self._terminal.symbols))

    def open(self) -> None:
        """Open the file in the student's editor."""
        from minitape_cli.views.lesson import todo

        command = editor(self._file, todo(self._file) or 1)
        if command is None:
            self._terminal.complain(
                messages.NO_EDITOR, "run `EDITOR=nano minitape lesson`, or name another editor"
            )
            return
        with self._suspended():
            subprocess.run(command, check=False)

    def _reset(self, *, is_sure: bool) -> None:
        from minitape_cli.views.lesson import shortened

        if not is_sure and self._file.exists():
            self._requested_reset = True
            self._terminal.say(messages.RESET_AGAIN)
            return
        kept = self._workspace.reset(self.exercise)
        self._glimpse = Glimpse(self._file)
        self.begin()
        if kept is not None:
            self._terminal.say(messages.KEPT_AS.format(path=shortened(kept)))

    def _stand(self) -> None:
        """Print the last lines: the progress, the file, the keys."""
        from minitape_cli.views import lesson as views

        self._terminal.say("")
        self._terminal.show(views.standing(self._workspace, self.exercise, self._terminal.symbols))
        self._terminal.say("   ".join(f"{key} {word}" for key, word in KEYS))


_DOES: dict[str, Callable[[LessonWatch], None]] = {
    "n": LessonWatch.next,
    "r": LessonWatch.run,
    "enter": LessonWatch.run,
    "h": LessonWatch.hint,
    "s": LessonWatch.see,
    "e": LessonWatch.explain,
    "l": LessonWatch.list,
    "o": LessonWatch.open,
}

_AT_LINE = ("code", "codium", "cursor")


def editor(file: Path, line: int) -> list[str] | None:
    """Return the command that opens a file: the user's editor, an installed editor, or the system's default."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if named:
        return [*shlex.split(named), str(file)]
    for name in _AT_LINE:
        if shutil.which(name):
            return [name, "--goto", f"{file}:{line}"]
    if sys.platform == "win32":
        return ["notepad", str(file)]
    for name in ("open",) if sys.platform == "darwin" else ("xdg-open", "nano", "vi"):
        if shutil.which(name):
            return [name, str(file)]
    return None
