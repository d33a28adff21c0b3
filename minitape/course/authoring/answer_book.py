"""The answer book of a course for its teacher, as one HTML page.

answer_book   a course and a folder of solutions → the page
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from minitape.course.block import block_text
from minitape.course.checks import AnyCheck
from minitape.course.course import Course, Exercise, Lesson, Misconception
from minitape.course.notebooks import cells
from minitape.storage import read_text

_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}: answers</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff; }}
pre {{ background: #f4f4f4; padding: .7rem 1rem; overflow-x: auto; font-size: 14px; }}
code {{ background: #f4f4f4; }}
h2 {{ border-top: 2px solid #bbb; padding-top: 1rem; margin-top: 3rem; }}
.about {{ color: #555; }}
details {{ margin: .5rem 0; }}
@media print {{ details > * {{ display: block; }} h2 {{ break-before: page; }} pre {{ white-space: pre-wrap; }} }}
@media (prefers-color-scheme: dark) {{ body {{ background: #1b1b1b; color: #eee; }}
  pre, code {{ background: #2b2b2b; }} .about {{ color: #aaa; }} }}
</style>
<h1>{title}: answers</h1>
<p class="about">{exercises} exercises, about {minutes} minutes in total.
This page contains all answers; do not give it to students.</p>
{body}
</html>
"""
_NO_SOLUTION = "no file with a solution"
_SEES = {
    "prediction": "`{name}` is typed out, and equals `{computed}` in the original program",
    "order": "`{name}` lists the names in the order of `{computed}`",
    "choice": "`{name}` is the right option",
    "value": "`{function}` returns what `{reference}` in checks.py returns, at 5 random points",
    "slope": "`{function}` agrees with finite differences of `{of}`, at 5 random points",
    "codes": "the explainer finds {absent}{present}",
    "connected": "the file requests a gradient, and no gradient is None or a zero in place of None",
    "tape": "the number and kind of the recorded ops",
    "cost": "what a call to `{function}` records, keeps and runs",
    "taped": "`{function}` requests at least {least} of its gradients from a tape",
}


def answer_book(course: Course, solutions: Path) -> str:
    """Return the page: for each exercise its task, answer, time, checks, misconceptions and hints.

    Args:
        course: The course.
        solutions: A folder with the solutions, one folder for each lesson.
    """
    minutes = sum(each.minutes for each in course.exercises)
    return _PAGE.format(
        title=html.escape(course.title),
        exercises=len(course.exercises),
        minutes=minutes,
        body="\n".join(_lesson(each, solutions) for each in course.lessons),
    )


def _lesson(lesson: Lesson, solutions: Path) -> str:
    head = f"<h2>{lesson.number}. {html.escape(lesson.title)}</h2>"
    about = f"{lesson.goal} Against the misconception: {lesson.misconceptions}. {lesson.minutes} minutes, exercises included."
    exercises = (part for each in lesson.exercises for part in _exercise(each, solutions))
    return "\n".join((head, f'<p class="about">{_inline(about)}</p>', *exercises))


def _exercise(exercise: Exercise, solutions: Path) -> Iterator[str]:
    points = f"{exercise.points} point{'s' * (exercise.points != 1)}"
    yield f'<h3 id="{exercise.short}">{exercise.short}: {html.escape(exercise.title)}</h3>'
    yield f'<p class="about">{exercise.minutes} minutes, {points}, explanation: {exercise.explanation}</p>'
    yield _folded("Task", _paragraphs(_statement(exercise)))
    yield f"<pre>{html.escape(_answer(solutions / f'{exercise.id}.py'))}</pre>"
    yield "<p>The checks:</p>" + _list(_sees(exercise, each) for each in exercise.checks)
    if exercise.misconceptions:
        rows = (f"{_condition(each)}: {each.hint.strip()}" for each in exercise.misconceptions)
        yield "<p>Misconceptions, and the first hint for each:</p>" + _list(rows)
    yield _folded(
        "Hints", "".join(f"<pre>{html.escape(each.strip())}</pre>" for each in exercise.hints)
    )
    yield _paragraphs(exercise.debrief)


def _statement(exercise: Exercise) -> str:
    texts = (text for is_code, text in cells(read_text(exercise.starter)) if not is_code)
    return re.sub(r"^# .*\n", "", next(texts, ""))


def _answer(file: Path) -> str:
    return block_text(read_text(file)) if file.exists() else _NO_SOLUTION


def _sees(exercise: Exercise, check: AnyCheck) -> str:
    """Return what a check examines, as a phrase."""
    if check.kind == "holds":
        return _described(exercise, getattr(check, "function", ""))
    fields = {name: getattr(check, name) for name in check.__struct_fields__}
    if check.kind == "codes":
        absent, present = fields["absent"], fields["present"]
        fields["absent"] = f"no {' or '.join(absent)}" if absent else ""
        fields["present"] = " and ".join(present) or ("" if absent else "nothing")
    return f"{check.kind}: {_SEES[check.kind].format(**fields)}"


def _described(exercise: Exercise, function: str) -> str:
    """Return the first line of the docstring of a function in checks.py, or its name as words."""
    words = function.replace("_", " ")
    if exercise.page is None:
        return words
    found = re.search(
        rf'^def {function}\(.*\):\n    """(.+?)(?:"""|\n)', read_text(exercise.page), re.MULTILINE
    )
    return words if found is None else found[1]


def _condition(each: Misconception) -> str:
    parts = [f"`{name} = {value}`" for name, value in each.typed.items()]
    parts += [f"the code {each.code}"] if each.code else []
    parts += [f"the check {each.check} fails"] if each.check else []
    parts += [f"the block matches `{each.writes}`"] if each.writes else []
    return " and ".join(parts)


# --- HTML ---


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>{body}</details>"


def _list(items: Iterator[str] | Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{_inline(each)}</li>" for each in items) + "</ul>"


def _paragraphs(markdown: str) -> str:
    """Return paragraphs; lists and indented code are not changed."""
    made = []
    for block in re.split(r"\n\s*\n", markdown.strip("\n")):
        if block.startswith("    "):
            made.append(f"<pre>{html.escape(block)}</pre>")
        elif re.match(r"(?:[-*]|\d+\.) ", block):
            made.append(
                _list(re.split(r"\n(?:[-*]|\d+\.) ", re.sub(r"^(?:[-*]|\d+\.) ", "", block)))
            )
        elif block.strip():
            made.append(f"<p>{_inline(block)}</p>")
    return "".join(made)


def _inline(text: str) -> str:
    """Return a text as HTML, with `code`, **bold** and *emphasis*."""
    said = html.escape(text, quote=False)
    said = re.sub(r"`([^`]+)`", r"<code>\1</code>", said)
    said = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", said)
    return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<i>\1</i>", said)
