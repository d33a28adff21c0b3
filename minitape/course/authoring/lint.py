"""Finds problems in a lesson, for its author and for the tests of a course.

`linted`     a lesson → its problems
written      the problems in its texts; nothing is run
tried        the problems that occur when its starters and solutions run
LintProblem  a problem
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from minitape.course.attempts import Attempt, Limits, attempt
from minitape.course.checks import Choice, Codes, Holds, Slope, Value
from minitape.course.course import Exercise, Lesson
from minitape.source_text import lines_of
from minitape.storage import read_text
from minitape.unsupported.table import find

ITERATIONS = 2_000  # the number of seeds with which a solution must pass
_PATIENCE = 50.0  # seconds after which no further seed is tried
_HINTS, _LINES = 3, 5
_RUN = 5  # a hint with this many consecutive tokens of the solution reveals it
_SHORTEST = 3  # shorter lines of a solution are too common to be counted
_EVERYWHERE = {"with tf.GradientTape() as tape:"}
_TODO, _END = "# TODO", "# END"

# --- the sentences ---

_NO_FILE = "there is no such file"
_NOT_UTF8 = "it is not UTF-8 text"
_BAD_PYTHON = "it is not valid Python"
_BAD_LINE = "line {line} is not valid Python"
_FAST_TRACK = "a lesson needs exactly one exercise in the fast track; this one has {count}"
_TWICE = "two exercises have the name {name}"
_HINT_COUNT = "{name} has {count} hints, but needs {wanted}"
_HINT_LENGTH = "{name}: hint {level} must have 1 to {most} lines"
_NO_DEBRIEF = "{name} has no debrief"
_NO_CHECKS = "{name} has no checks"
_TRACK = "{name}: the only allowed value of `track` is `fast`"
_STARTS_WITH = "{name}: `starts_with` must be a code, or one of {names}"
_CODE = "{name}: {code} is not a code of `minitape explain`"
_NOT_DEFINED = "{name}: `checks.py` does not define {function}"
_ONE_ARGUMENT = "{name}: a derivative of order {order} needs a function of exactly one argument"
_DIGEST = "{name}: a digest must be a SHA-256 hash, as `minitape.course.checks.answers.digest` computes it"
_ONE_BLOCK = "it needs exactly one block to edit, between the lines `{todo}` and `{end}`"
_TITLE = "it must start with a Markdown cell that has a title"
_IMPORT = "the name `minitape` must occur exactly once, in `import minitape as tf`"
_NOT_IN_TENSORFLOW = "line {line}: TensorFlow has no {name}"
_LEAK = "{name}: hint {level} reveals a part of the solution: {found}"
_SHOULD_FAIL = "it should fail with {name}; {result}"
_SHOULD_PASS = "it should pass; {result}"
_NO_CONDITION = "{name}: a misconception needs one of `code`, `check`, `typed` and `writes`"
_MISCONCEPTION_LENGTH = "{name}: the hint of a misconception must have 1 to {most} lines"
_BAD_PATTERN = "{name}: {pattern!r} is not a regular expression"
_NO_SYMPTOM = "it should print its symptom, {symptom!r}"


@dataclass(frozen=True)
class LintProblem:
    """A problem in a file of the course."""

    file: Path
    what: str

    def __str__(self) -> str:
        return f"{self.file.parent.name}/{self.file.name}: {self.what}"


def linted(lesson: Lesson, solutions: Path | None = None) -> Iterator[LintProblem]:
    """Yield all problems of a lesson; `solutions` is a folder with a solution for each exercise."""
    faults = list(written(lesson, solutions))
    yield from faults
    broken = {fault.file for fault in faults}
    for exercise in lesson.exercises:
        if broken.isdisjoint((exercise.starter, exercise.page)):
            yield from tried(exercise, solutions)


# --- texts ---


def written(lesson: Lesson, solutions: Path | None = None) -> Iterator[LintProblem]:
    """Yield the problems in the texts of a lesson."""
    toml = lesson.folder / "lesson.toml"
    pages = dict.fromkeys(each.page for each in lesson.exercises if each.page is not None)
    for page in pages:
        why = _why_unreadable(page)
        if why is not None:
            yield LintProblem(page, why)
    if not _is_there(lesson.script):
        yield LintProblem(lesson.script, _NO_FILE)
    fast = [each.name for each in lesson.exercises if each.track == "fast"]
    if lesson.exercises and len(fast) != 1:
        yield LintProblem(toml, _FAST_TRACK.format(count=len(fast)))
    names = [each.name for each in lesson.exercises]
    for name in sorted({each for each in names if names.count(each) > 1}):
        yield LintProblem(toml, _TWICE.format(name=name))
    for exercise in lesson.exercises:
        yield from _entry(exercise, toml)
        if _is_there(exercise.starter):
            yield from _starter(exercise)
            solution = _solution(exercise, solutions)
            if solution is not None and _is_there(solution):
                yield from _leaks(exercise, solution, toml)
        else:
            yield LintProblem(exercise.starter, _NO_FILE)


def _entry(exercise: Exercise, toml: Path) -> Iterator[LintProblem]:
    name = exercise.name
    if len(exercise.hints) != _HINTS:
        yield LintProblem(
            toml, _HINT_COUNT.format(name=name, count=len(exercise.hints), wanted=_HINTS)
        )
    for level, hint in enumerate(exercise.hints, start=1):
        if not 1 <= len(hint.strip().splitlines()) <= _LINES:
            yield LintProblem(toml, _HINT_LENGTH.format(name=name, level=level, most=_LINES))
    for each in exercise.misconceptions:
        if not (each.code or each.check or each.typed or each.writes):
            yield LintProblem(toml, _NO_CONDITION.format(name=name))
        if not 1 <= len(each.hint.strip().splitlines()) <= _LINES:
            yield LintProblem(toml, _MISCONCEPTION_LENGTH.format(name=name, most=_LINES))
        if each.writes is not None and not _is_pattern(each.writes):
            yield LintProblem(toml, _BAD_PATTERN.format(name=name, pattern=each.writes))
    if not exercise.debrief.strip():
        yield LintProblem(toml, _NO_DEBRIEF.format(name=name))
    if not exercise.checks:
        yield LintProblem(toml, _NO_CHECKS.format(name=name))
    if exercise.track not in (None, "fast"):
        yield LintProblem(toml, _TRACK.format(name=name))
    kinds = {each.kind for each in exercise.checks}
    statuses = {"error", "timeout"}
    if (
        not re.fullmatch(r"MT\d{3}", exercise.starts_with)
        and exercise.starts_with not in kinds | statuses
    ):
        yield LintProblem(
            toml, _STARTS_WITH.format(name=name, names=", ".join(sorted(kinds | statuses)))
        )
    pages = Path(__file__).parents[2] / "explain" / "pages"
    for code in _codes(exercise):
        if not (pages / f"{code}.md").exists():
            yield LintProblem(toml, _CODE.format(name=name, code=code))
    for check in exercise.checks:
        needs = check.reference if isinstance(check, Value) else ""
        needs = check.function if isinstance(check, Holds) else needs
        defined = _defined(exercise.page) if needs else None
        if defined is not None and needs not in defined:
            yield LintProblem(toml, _NOT_DEFINED.format(name=name, function=needs))
        if isinstance(check, Slope) and check.order > 1 and len(check.at) > 1:
            yield LintProblem(toml, _ONE_ARGUMENT.format(name=name, order=check.order))
        if isinstance(check, Choice) and not re.fullmatch(r"[0-9a-f]{64}", check.digest):
            yield LintProblem(toml, _DIGEST.format(name=name))


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _codes(exercise: Exercise) -> Iterator[str]:
    if exercise.starts_with.startswith("MT"):
        yield exercise.starts_with
    yield from (each.code for each in exercise.misconceptions if each.code is not None)
    for check in exercise.checks:
        if isinstance(check, Codes):
            yield from (*check.absent, *check.present)


def _is_there(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:  # the name is too long for the file system
        return False


def _why_unreadable(file: Path) -> str | None:
    """Return why a Python file cannot be read; None if it can be read."""
    try:
        ast.parse(read_text(file))
    except OSError as error:
        return str(error.strerror)
    except UnicodeDecodeError:
        return _NOT_UTF8
    except SyntaxError as error:
        return _BAD_LINE.format(line=error.lineno)
    except ValueError:
        return _BAD_PYTHON
    return None


def _defined(page: Path | None) -> set[str] | None:
    """Return the names of the functions in checks.py; None if it cannot be read."""
    if page is None:
        return set()
    if _why_unreadable(page) is not None:
        return None
    tree = ast.parse(read_text(page))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def _starter(exercise: Exercise) -> Iterator[LintProblem]:
    file = exercise.starter
    try:
        text = read_text(file)
    except OSError as error:
        yield LintProblem(file, str(error.strerror))
        return
    except UnicodeDecodeError:
        yield LintProblem(file, _NOT_UTF8)
        return
    lines = [line.strip() for line in lines_of(text)]
    if lines.count(_TODO) != 1 or lines.count(_END) != 1 or lines.index(_TODO) > lines.index(_END):
        yield LintProblem(file, _ONE_BLOCK.format(todo=_TODO, end=_END))
    if not text.startswith("# %% [markdown]\n# # "):
        yield LintProblem(file, _TITLE)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        yield LintProblem(file, _why_unreadable(file) or _BAD_PYTHON)
        return
    yield from _names(file, tree, text)


def _names(file: Path, tree: ast.Module, text: str) -> Iterator[LintProblem]:
    """Yield the problems with names that would keep the file from running on TensorFlow after a change of its import line."""
    imports = re.findall(r"^(?:import|from) .*minitape.*$", text, re.MULTILINE)
    if imports != ["import minitape as tf"]:
        yield LintProblem(file, _IMPORT)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if re.fullmatch(r"tf(\.\w+)+", name) and not _is_tensorflows(name):
                yield LintProblem(file, _NOT_IN_TENSORFLOW.format(line=node.lineno, name=name))


def _is_tensorflows(name: str) -> bool:
    """Whether TensorFlow has the name, or its first part is an object whose attributes the table does not list."""
    entry = find(name)
    if entry is not None:
        return entry.kind != "v1"
    outer = find(name.rpartition(".")[0])
    return outer is not None and outer.kind not in ("module", "v1")


# --- hints ---


def _leaks(exercise: Exercise, solution: Path, toml: Path) -> Iterator[LintProblem]:
    """Yield the hints that contain a part of the solution; the last hint, a similar problem, must not contain a whole line."""
    try:
        answer = solved_lines(exercise.starter, solution)
    except UnicodeDecodeError:
        if _why_unreadable(exercise.starter) is None:  # otherwise, the starter is the problem
            yield LintProblem(solution, _NOT_UTF8)
        return
    own = (each.hint for each in exercise.misconceptions)
    for level, hint in (*enumerate(exercise.hints, start=1), *((1, each) for each in own)):
        is_twin = level == _HINTS
        found = next(filter(None, (_shared(line, hint, whole=is_twin) for line in answer)), "")
        if found:
            yield LintProblem(toml, _LEAK.format(name=exercise.name, level=level, found=found))


def solved_lines(starter: Path, solution: Path) -> list[str]:
    """Return the lines of a solution that are neither in its starter nor in every program."""
    given = {line.strip() for line in lines_of(read_text(starter))} | _EVERYWHERE
    lines = [line.strip() for line in lines_of(read_text(solution))]
    return [line for line in lines if line and not line.startswith("#") and line not in given]


def _shared(line: str, hint: str, *, whole: bool) -> str:
    """Return a sequence of tokens that a line of the solution shares with a hint, or the `whole` line; "" if there is none."""
    wanted, reported = _tokens(line), _tokens(hint)
    length = len(wanted) if whole else min(_RUN, len(wanted))
    if length < _SHORTEST:
        return ""
    runs = {tuple(reported[i : i + length]) for i in range(len(reported) - length + 1)}
    for i in range(len(wanted) - length + 1):
        if tuple(wanted[i : i + length]) in runs:
            return " ".join(wanted[i : i + length])
    return ""


def _tokens(text: str) -> list[str]:
    """Return the tokens of the text: words, numbers and symbols."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.string.strip() and token.type != tokenize.COMMENT:
                found.append(token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        found = re.findall(r"\w+(?:\.\d+)?|[^\w\s]", text)
    return found


# --- runs ---


def tried(
    exercise: Exercise, solutions: Path | None = None, *, iterations: int = ITERATIONS
) -> Iterator[LintProblem]:
    """Yield a problem if the starter does not fail as declared, or the solution does not pass with `iterations` seeds."""
    came = attempt(exercise, exercise.starter)
    if not came.fails_with(exercise.starts_with):
        yield LintProblem(
            exercise.starter, _SHOULD_FAIL.format(name=exercise.starts_with, result=reported(came))
        )
    if exercise.symptom not in came.printed:
        yield LintProblem(exercise.starter, _NO_SYMPTOM.format(symptom=exercise.symptom))
    solution = _solution(exercise, solutions)
    if solution is not None:
        if not _is_there(solution):
            yield LintProblem(solution, _NO_FILE)
            return
        limits = Limits(timeout=_PATIENCE + 10)
        came = attempt(
            exercise, solution, seed=0, iterations=iterations, limits=limits, patience=_PATIENCE
        )
        if not came.ok:
            yield LintProblem(solution, _SHOULD_PASS.format(result=reported(came)))


def reported(came: Attempt) -> str:
    """Return the result of an attempt in one line."""
    parts = [f"it {came.status}" if came.ok else f"status {came.status}"]
    parts += [f"codes {', '.join(came.codes)}"] if came.codes else []
    parts += [f"{each.kind}: {each.what}" for each in came.checks if not each.ok]
    parts += [came.message] if came.message else []
    return f"{'; '.join(parts)} (seed {came.seed})"


def _solution(exercise: Exercise, solutions: Path | None) -> Path | None:
    """Return the path of a solution, in a folder with the solutions of one lesson or of all lessons."""
    if solutions is None:
        return None
    file = f"{exercise.name}.py"
    return (
        solutions / exercise.lesson / file
        if (solutions / exercise.lesson).is_dir()
        else solutions / file
    )
