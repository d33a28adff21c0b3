"""Writes an explanation as Markdown, to paste into an issue or a chat.

Text of the user's program stays text: it cannot become a link, a mention, an image or HTML, and cannot end a block of code.
"""

import re
from collections.abc import Mapping, Sequence

from minitape.explain.mistakes import Mistake, mistakes_of
from minitape.explain.report import GradientNote, Location, Report
from minitape.printable import printable_lines
from minitape.source_text import lines_of
from minitape.trace.events import SourceEvent
from minitape.trace.trace import Trace

_AROUND = 1  # the number of lines before and after the marked one
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$]|^-|(?<=^\d)[.])")
_ALIVE = re.compile(r"(?<=@)|(?<=://)|(?<=www)(?=\.)")
_BREAK = "\u200b"  # a zero-width space, which prevents a mention or a link

NONE_FOUND = "minitape explain found no gradient that is None, zero, NaN or incomplete."
_HEADING = "### {code}: {headline}"
_WHERE = "{file}, line {line}:"
_TRY = "**Try:**"
_FOOTER = "Explained by minitape {version}{on}; run `minitape explain {code}` for more."


def markdown(report: Report, trace: Trace, version: str, engine: str) -> str:
    """Return one section for each mistake and each note, with the source around its line."""
    sources = {each.file: lines_of(each.text) for each in trace.of(SourceEvent)}
    found: list[Mistake | GradientNote] = [*mistakes_of(report), *report.notes]
    sections = [_section(each, sources) for each in found]
    if not sections:
        return NONE_FOUND + "\n"
    first = found[0].finding if isinstance(found[0], Mistake) else found[0]
    footer = _FOOTER.format(version=version, on=engine and f" {engine}", code=first.code)
    return "\n".join([*sections, footer]) + "\n"


def _section(each: Mistake | GradientNote, sources: Mapping[str, Sequence[str]]) -> str:
    finding = each.finding if isinstance(each, Mistake) else each
    sure = f" ({each.sure} cause)" if isinstance(each, Mistake) and each.sure else ""
    parts = [_HEADING.format(code=finding.code, headline=escaped(each.headline + sure)), ""]
    parts += [_excerpt(finding.location, sources), "", escaped(finding.message), ""]
    parts += [f"{_TRY} {escaped(each.fix)}" if "\n" not in each.fix else _block(_TRY, each.fix), ""]
    return "\n".join(parts)


def _excerpt(location: Location, sources: Mapping[str, Sequence[str]]) -> str:
    where = _WHERE.format(file=escaped(location.file), line=location.line)
    lines = sources.get(location.file, [])
    first = max(location.line - _AROUND, 1)
    around = lines[first - 1 : location.line + _AROUND]
    if not around:
        return where
    shown = [
        f"{'>' if number == location.line else ' '} {number} | {line}"
        for number, line in enumerate(around, first)
    ]
    return _block(where, "\n".join(shown))


def _block(title: str, text: str) -> str:
    """Return text as a block of code, whose fence is longer than all sequences of backticks in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{title}\n\n{fence}text\n{printable_lines(text)}\n{fence}"


def escaped(text: str) -> str:
    """Return prose of a message as Markdown: code in backticks stays code, everything else is text.

    >>> escaped("`np.square` of a_b <b> @user")
    '`np.square` of a\\\\_b \\\\<b\\\\> @\\u200buser'
    """
    parts = " ".join(printable_lines(text).split()).split("`")
    if len(parts) % 2 == 0 or "" in parts[1:-1]:  # unpaired backticks
        return _text("`".join(parts))
    return "".join(
        f"`{part}`" if is_code else _text(part)
        for part, is_code in zip(parts, [False, True] * len(parts))
    )


def _text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _ALIVE.sub(_BREAK, text))
