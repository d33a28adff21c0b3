"""The user's files as lists of lines with syntax colors."""

import html
import io
import keyword
import tokenize
from collections.abc import Iterator

from minitape.source_text import lines_of
from minitape.timeline import Timeline

_LONGEST = 400  # the maximum length of a shown line of program text


def source_panes(timeline: Timeline) -> str:
    """Return the HTML of one list for each file, the script itself first."""
    return "\n".join(
        _pane(position, name, timeline.texts[name]) for name, position in order_of(timeline).items()
    )


def order_of(timeline: Timeline) -> dict[str, int]:
    """Return the index of each file's pane."""
    names = sorted(timeline.texts, key=lambda name: name != timeline.main)
    return {name: position for position, name in enumerate(names)}


def _pane(position: int, name: str, text: str) -> str:
    lines = lines_of(text) or ("",)
    marks = _marks(text, len(lines))
    rows = "\n".join(
        f'<li data-line="{number}"><button type=button tabindex=-1 aria-label="line {number}">{number}</button>'
        f"<code>{_line(line, marks.get(number, []))}</code></li>"
        for number, line in enumerate(lines, start=1)
    )
    hidden = "" if position == 0 else " hidden"
    return f'<ol class="file" data-file="{position}" aria-label="{html.escape(name)}"{hidden}>\n{rows}\n</ol>'


_Mark = tuple[int, int, str]  # the start and the end column, and the class


def _line(line: str, marks: list[_Mark]) -> str:
    """Return a line as escaped HTML, with its marked parts."""
    if len(line) > _LONGEST:
        line = line[:_LONGEST] + "…"
        marks = [mark for mark in marks if mark[1] <= _LONGEST]
    parts, at = [], 0
    for start, end, kind in sorted(marks):
        if start < at:
            continue
        parts += [
            html.escape(line[at:start]),
            f'<i class="{kind}">{html.escape(line[start:end])}</i>',
        ]
        at = end
    return "".join([*parts, html.escape(line[at:])]) or " "


def _marks(text: str, count: int) -> dict[int, list[_Mark]]:
    marks: dict[int, list[_Mark]] = {}
    for kind, (first, start), (last, end) in _tokens(text):
        for number in range(first, min(last, count) + 1):
            stretch = (start if number == first else 0, end if number == last else _LONGEST, kind)
            marks.setdefault(number, []).append(stretch)
    return marks


def _tokens(text: str) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Return the strings, comments, numbers and keywords of a source text; empty if it is not Python."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = _KINDS.get(token.type, "")
            if token.type == tokenize.NAME and keyword.iskeyword(token.string):
                kind = "k"
            if kind:
                yield kind, token.start, token.end
    except (tokenize.TokenError, SyntaxError):
        return


_KINDS = {tokenize.STRING: "s", tokenize.COMMENT: "c", tokenize.NUMBER: "n"}
