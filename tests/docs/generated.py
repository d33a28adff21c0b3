"""The generated pages and parts of pages; `python -m pytest tests/docs --update` updates them.

PAGES     whole pages, by path
TABLES    the parts between the lines `<!-- made of … -->` and `<!-- end -->` of a page, by path
"""

import re
import runpy
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from minitape import catalog
from minitape.course.course import Lesson, course
from minitape.explain.causes import CAUSES
from minitape.explain.causes.cause import Cause
from minitape.explain.report import KNOWN_BY

ROOT = Path(__file__).parents[2]
_CODES = sorted((ROOT / "minitape/explain/pages").glob("MT*.md"))

_ABOUT_CODES = """\
# Codes

Each cause of a lost, wrong or suspicious gradient has a code, and so does each common error. `minitape explain MT201` shows
the page of a code, with the symptom, the reason, a program that reproduces it, and the fix.
"""
_SERIES = {
    "1": "Watching and time",
    "2": "The path is cut",
    "3": "Mixed up",
    "4": "Suspicious numbers",
    "5": "Errors from misuse",
    "6": "Training",
    "9": "Tools",
}
_ABOUT_OPS = """\
# Ops

This page lists the gradient rule of each op. ȳ is the cotangent of the output y, which is the gradient that arrives. x̄ is the
cotangent of the input x, which is the gradient that the op sends. `minitape ops NAME` shows an op with its source.

Functions that consist of other ops (`tf.nn.moments`, a Keras layer) are not listed, because their gradients follow from these
ops.
"""
_ABOUT_CAUSES = """\
# Causes and their evidence

This page lists the evidence that the explainer uses for each cause, from the declarations in `minitape/explain/causes`. If
several causes fit one gradient, the explainer reports the cause with the most support: the strength of its evidence, plus the
weights of the clues that apply (+ for the cause, − against it). The column "at most" is the highest confidence that a finding
with this cause can have. If another cause fits too, the finding is not certain, and `minitape explain --evidence` names the
runner-up.

"""
_CAUSES_HEAD = (
    "| cause | code | at most | usual evidence | clues |\n| --- | --- | --- | --- | --- |\n"
)


def causes() -> str:
    """docs/causes.md."""
    return _ABOUT_CAUSES + _CAUSES_HEAD + "".join(map(_cause, CAUSES.values()))


def _cause(cause: Cause[Any]) -> str:
    clues = "; ".join(f"{_signed(each.weight)} {each.says}" for each in cause.clues)
    page = f"[{cause.code}](../minitape/explain/pages/{cause.code}.md)"
    return (
        f"| `{cause.slug}` | {page} | {cause.confidence} | {KNOWN_BY[cause.evidence]} | {clues} |\n"
    )


def _signed(weight: int) -> str:
    return f"+{weight}" if weight > 0 else f"−{-weight}"


def codes() -> str:
    """docs/codes.md."""
    parts = [_ABOUT_CODES]
    for series, pages in groupby(_CODES, key=lambda page: page.stem[2]):
        parts.append(f"## {_SERIES[series]}\n\n| code | what | |\n| --- | --- | --- |\n")
        parts[-1] += "".join(map(_code, pages))
    return "\n".join(parts)


def _code(page: Path) -> str:
    title, _, rest = page.read_text(encoding="utf-8").partition("\n")
    code, _, what = title.removeprefix("# ").partition(": ")
    sentence = " ".join(rest.strip().partition("\n\n")[0].split())
    return f"| [{code}](../minitape/explain/pages/{page.name}) | {what} | {sentence} |\n"


def ops() -> str:
    """docs/ops.md."""
    parts = [_ABOUT_OPS]
    titles = catalog.families()
    for family, entries in groupby(catalog.ops(), key=lambda op: op.family):
        rows = "".join(map(_op, entries))
        parts.append(
            f"## {family}\n\n{titles[family]}\n\n| op | in a program | gradient |\n| --- | --- | --- |\n{rows}"
        )
    return "\n".join(parts)


def _op(op: catalog.CatalogOp) -> str:
    names = ", ".join(f"`{name}`" for name in op.public) or "in rules only"
    return f"| {op.name} | {names} | {_cell(op.rule)} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def lessons() -> str:
    """The table of the course."""
    head = "| # | lesson | goal | exercises | minutes (including exercises) |\n| --- | --- | --- | --- | --- |"
    rows = (
        f"| {number} | [{lesson.title}]({lesson.folder.name}/lesson.py) | {_cell(lesson.goal)} "
        f"| {len(lesson.exercises)} | {lesson.minutes} |"
        for number, lesson in _numbered()
    )
    return "\n".join((head, *rows))


def misconceptions() -> str:
    """The table of the misconceptions that the lessons correct."""
    head = "| # | lesson | misconception |\n| --- | --- | --- |"
    rows = (
        f"| {number} | {each.title} | {_cell(each.misconceptions)} |"
        for number, each in _numbered()
    )
    return "\n".join((head, *rows))


def pictures() -> str:
    """The picture of each lesson."""
    return "\n\n".join(
        f"**{number}. {each.title}**\n\n![{each.goal}](../tutorials/{each.folder.name}/picture.svg)"
        for number, each in _numbered()
    )


def _numbered() -> Iterator[tuple[int, Lesson]]:
    return enumerate(course(ROOT / "tutorials").lessons, start=1)


def chart() -> str:
    """benchmarks/chart.svg."""
    functions = runpy.run_path(str(ROOT / "benchmarks" / "chart.py"))
    table = functions["first_table"]((ROOT / "benchmarks/README.md").read_text(encoding="utf-8"))
    drawn: str = functions["chart"](table)
    return drawn


PAGES: dict[str, Callable[[], str]] = {
    "benchmarks/chart.svg": chart,
    "docs/causes.md": causes,
    "docs/codes.md": codes,
    "docs/ops.md": ops,
}
TABLES: dict[str, Callable[[], str]] = {
    "tutorials/README.md": lessons,
    "docs/teachers.md": misconceptions,
    "docs/gallery.md": pictures,
}
_BETWEEN = re.compile(r"(?<= -->\n\n)(.*?)(?=\n\n<!-- end -->)", re.DOTALL)


def wanted() -> Iterator[tuple[str, str]]:
    """Return the content that each page should have, keyed by path."""
    for name, make in PAGES.items():
        yield name, make()
    for name, make in TABLES.items():
        page = (ROOT / name).read_text(encoding="utf-8")
        before, _, after = _BETWEEN.split(page, maxsplit=1)
        yield name, before + make() + after
