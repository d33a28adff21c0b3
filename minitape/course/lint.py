"""What is wrong with a lesson: for its author, and for the tests of a course.

linted     a lesson → Faults
written    only what its text tells; nothing is run
tried      its starters, its solutions and its lesson.py, run
Fault      one thing to mend
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from minitape.course.checks import Choice, Codes, Holds, Slope, Value
from minitape.course.course import Exercise, Lesson
from minitape.course.trying import Attempt, attempt
from minitape.missing.table import find
from minitape.source_text import lines_of
from minitape.storage import read_text

ROUNDS = 20  # seeds with which a solution has to pass
_HINTS, _LINES = 3, 5
_RUN = 5  # tokens in a row that hint and solution share: then the hint gives it away
_SHORTEST = 3  # of a line that could be given away
_EVERYWHERE = {"with tf.GradientTape() as tape:"}
_TODO, _END = "# TODO", "# END"


@dataclass(frozen=True)
class Fault:
    """Something to mend in a file of the course."""

    file: Path
    what: str

    def __str__(self) -> str:
        return f"{self.file.parent.name}/{self.file.name}: {self.what}"


def linted(lesson: Lesson, solutions: Path | None = None) -> Iterator[Fault]:
    """All that is wrong; `solutions` is a folder with one for each exercise."""
    faults = list(written(lesson, solutions))
    yield from faults
    broken = {fault.file for fault in faults}
    for exercise in lesson.exercises:
        if broken.isdisjoint((exercise.starter, exercise.page)):
            yield from tried(exercise, solutions)


# --- what the text tells ---


def written(lesson: Lesson, solutions: Path | None = None) -> Iterator[Fault]:
    """What is wrong with the texts."""
    toml = lesson.folder / "lesson.toml"
    pages = dict.fromkeys(each.page for each in lesson.exercises if each.page is not None)
    for page in pages:
        why = _why_unreadable(page)
        if why is not None:
            yield Fault(page, why)
    if not _is_there(lesson.script):
        yield Fault(lesson.script, "there is no such file")
    fast = [each.name for each in lesson.exercises if each.track == "fast"]
    if lesson.exercises and len(fast) != 1:
        yield Fault(toml, f"one exercise is in the fast track, not {len(fast)}")
    names = [each.name for each in lesson.exercises]
    for name in sorted({each for each in names if names.count(each) > 1}):
        yield Fault(toml, f"{name} is there twice")
    for exercise in lesson.exercises:
        yield from _entry(exercise, toml)
        if _is_there(exercise.starter):
            yield from _starter(exercise)
            solution = _solution(exercise, solutions)
            if solution is not None and _is_there(solution):
                yield from _leaks(exercise, solution, toml)
        else:
            yield Fault(exercise.starter, "there is no such file")


def _entry(exercise: Exercise, toml: Path) -> Iterator[Fault]:
    name = exercise.name
    if len(exercise.hints) != _HINTS:
        yield Fault(toml, f"{name} has {len(exercise.hints)} hints, not {_HINTS}")
    for level, hint in enumerate(exercise.hints, start=1):
        if not 1 <= len(hint.strip().splitlines()) <= _LINES:
            yield Fault(toml, f"{name}: hint {level} has not one to {_LINES} lines")
    if not exercise.debrief.strip():
        yield Fault(toml, f"{name} has no debrief")
    if not exercise.checks:
        yield Fault(toml, f"{name} has no checks")
    if exercise.track not in (None, "fast"):
        yield Fault(toml, f"{name}: a track is fast, or left out")
    kinds = {each.kind for each in exercise.checks}
    statuses = {"error", "timeout"}
    if (
        not re.fullmatch(r"MT\d{3}", exercise.starts_with)
        and exercise.starts_with not in kinds | statuses
    ):
        yield Fault(
            toml, f"{name}: starts_with is a code, or one of {', '.join(sorted(kinds | statuses))}"
        )
    pages = Path(__file__).parents[1] / "explain" / "pages"
    for code in _codes(exercise):
        if not (pages / f"{code}.md").exists():
            yield Fault(toml, f"{name}: {code} is no code of minitape explain")
    for check in exercise.checks:
        needs = check.reference if isinstance(check, Value) else ""
        needs = check.function if isinstance(check, Holds) else needs
        defined = _defined(exercise.page) if needs else None
        if defined is not None and needs not in defined:
            yield Fault(toml, f"{name}: checks.py has no {needs}")
        if isinstance(check, Slope) and check.order > 1 and len(check.at) > 1:
            yield Fault(toml, f"{name}: a slope of order {check.order} has one argument")
        if isinstance(check, Choice) and not re.fullmatch(r"[0-9a-f]{64}", check.digest):
            yield Fault(
                toml, f"{name}: a digest is a SHA-256: minitape.course.checks.answers.digest"
            )


def _codes(exercise: Exercise) -> Iterator[str]:
    if exercise.starts_with.startswith("MT"):
        yield exercise.starts_with
    for check in exercise.checks:
        if isinstance(check, Codes):
            yield from (*check.absent, *check.present)


def _is_there(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:  # its name is longer than a file system allows
        return False


def _why_unreadable(file: Path) -> str | None:
    """Why a file of Python cannot be read, in words; None if it can."""
    try:
        ast.parse(read_text(file))
    except OSError as error:
        return str(error.strerror)
    except UnicodeDecodeError:
        return "it is not UTF-8 text"
    except SyntaxError as error:
        return f"line {error.lineno} does not compile"
    except ValueError:
        return "it does not compile"
    return None


def _defined(page: Path | None) -> set[str] | None:
    """The functions of checks.py; None if it cannot be read."""
    if page is None:
        return set()
    if _why_unreadable(page) is not None:
        return None
    tree = ast.parse(read_text(page))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def _starter(exercise: Exercise) -> Iterator[Fault]:
    file = exercise.starter
    try:
        text = read_text(file)
    except OSError as error:
        yield Fault(file, str(error.strerror))
        return
    except UnicodeDecodeError:
        yield Fault(file, "it is not UTF-8 text")
        return
    lines = [line.strip() for line in lines_of(text)]
    if lines.count(_TODO) != 1 or lines.count(_END) != 1 or lines.index(_TODO) > lines.index(_END):
        yield Fault(file, f"one block between the lines `{_TODO}` and `{_END}` is to be edited")
    if not text.startswith("# %% [markdown]\n# # "):
        yield Fault(file, "it begins with a markdown cell that has a title")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        yield Fault(file, _why_unreadable(file) or "it does not compile")
        return
    yield from _names(file, tree, text)


def _names(file: Path, tree: ast.Module, text: str) -> Iterator[Fault]:
    """Whether it runs on TensorFlow, once its import line is swapped."""
    imports = re.findall(r"^(?:import|from) .*minitape.*$", text, re.MULTILINE)
    if imports != ["import minitape as tf"]:
        yield Fault(file, "minitape is named once: import minitape as tf")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if re.fullmatch(r"tf(\.\w+)+", name) and not _is_tensorflows(name):
                yield Fault(file, f"line {node.lineno}: TensorFlow has no {name}")


def _is_tensorflows(name: str) -> bool:
    """Whether TensorFlow has the name, or its beginning is a thing whose attributes nobody has listed."""
    entry = find(name)
    if entry is not None:
        return entry.kind != "v1"
    outer = find(name.rpartition(".")[0])
    return outer is not None and outer.kind not in ("module", "v1")


# --- hints ---


def _leaks(exercise: Exercise, solution: Path, toml: Path) -> Iterator[Fault]:
    """Hints in which a piece of the answer stands; the twin of the last one may look like it, but has no line of it."""
    try:
        answer = solved_lines(exercise.starter, solution)
    except UnicodeDecodeError:
        if _why_unreadable(exercise.starter) is None:  # else that is the fault
            yield Fault(solution, "it is not UTF-8 text")
        return
    for level, hint in enumerate(exercise.hints, start=1):
        is_twin = level == _HINTS
        found = next(filter(None, (_shared(line, hint, whole=is_twin) for line in answer)), "")
        if found:
            yield Fault(toml, f"{exercise.name}: hint {level} holds a piece of the answer: {found}")


def solved_lines(starter: Path, solution: Path) -> list[str]:
    """The lines of a solution that its starter does not have, and that not every program has."""
    given = {line.strip() for line in lines_of(read_text(starter))} | _EVERYWHERE
    lines = [line.strip() for line in lines_of(read_text(solution))]
    return [line for line in lines if line and not line.startswith("#") and line not in given]


def _shared(line: str, hint: str, *, whole: bool) -> str:
    """A run of tokens that an answer's line shares with a hint, or the `whole` line; "" if there is none."""
    wanted, told = _tokens(line), _tokens(hint)
    length = len(wanted) if whole else min(_RUN, len(wanted))
    if length < _SHORTEST:
        return ""
    runs = {tuple(told[i : i + length]) for i in range(len(told) - length + 1)}
    for i in range(len(wanted) - length + 1):
        if tuple(wanted[i : i + length]) in runs:
            return " ".join(wanted[i : i + length])
    return ""


def _tokens(text: str) -> list[str]:
    """Words, numbers and signs; brackets alone say nothing."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.string.strip() and token.type != tokenize.COMMENT:
                found.append(token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        found = re.findall(r"\w+(?:\.\d+)?|[^\w\s]", text)
    return found


# --- what running tells ---


def tried(
    exercise: Exercise, solutions: Path | None = None, *, rounds: int = ROUNDS
) -> Iterator[Fault]:
    """Whether the starter fails as it declares, and the solution passes with so many seeds."""
    came = attempt(exercise, exercise.starter)
    if not came.fails_with(exercise.starts_with):
        yield Fault(exercise.starter, f"it is to fail with {exercise.starts_with}; {told(came)}")
    solution = _solution(exercise, solutions)
    if solution is not None:
        if not _is_there(solution):
            yield Fault(solution, "there is no such file")
            return
        came = attempt(exercise, solution, seed=0, rounds=rounds)
        if not came.ok:
            yield Fault(solution, f"it is to pass; {told(came)}")


def told(came: Attempt) -> str:
    """What came of an attempt, in a line."""
    parts = [f"it {came.status}" if came.ok else f"status {came.status}"]
    parts += [f"codes {', '.join(came.codes)}"] if came.codes else []
    parts += [f"{each.kind}: {each.what}" for each in came.checks if not each.ok]
    parts += [came.said] if came.said else []
    return f"{'; '.join(parts)} (seed {came.seed})"


def _solution(exercise: Exercise, solutions: Path | None) -> Path | None:
    """Its solution, in a folder of solutions of one lesson or of all."""
    if solutions is None:
        return None
    file = f"{exercise.name}.py"
    return (
        solutions / exercise.lesson / file
        if (solutions / exercise.lesson).is_dir()
        else solutions / file
    )
