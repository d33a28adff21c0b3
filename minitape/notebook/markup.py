"""Creates HTML that can be part of any page, such as a notebook, a site generated from it, or an e-mail.

    picture     an SVG document as an image
    explained   an explanation
    frame       a whole page in a sandbox

Such a page has style sheets and ids of its own, and Jupyter and GitHub remove what could be harmful: scripts, styles, and
`<svg>`. So none of these are used. A picture is an image, isolated from the page, with a background of its own that is legible
on light and dark pages. Text has the colors of the page. Only a frame contains scripts, and they can access nothing outside
their frame.

Source: https://github.com/jupyterlab/jupyterlab/issues/10464, on what remains of an SVG.
"""

import html
from base64 import b64encode

from minitape.explain.answer import Explanation
from minitape.explain.mistakes import Mistake, in_all
from minitape.explain.report import GradientNote
from minitape.printable import printable_lines

_FRAME = "width: 100%; height: 680px; border: 1px solid #8888"
_BLOCK = "border-left: 3px solid #c43d00; padding-left: 0.8em; margin: 0.5em 0"
_NOTE = "border-left: 3px solid #4878a8; padding-left: 0.8em; margin: 0.5em 0"


def escape(text: str) -> str:
    """Return text as HTML, with special and control characters escaped."""
    return html.escape(printable_lines(text))


def picture(svg: str, caption: str) -> str:
    """Return an SVG document as an image; `caption` is its alternative text."""
    data = b64encode(svg.encode()).decode()
    image = f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(caption)}" style="max-width: none"/>'
    return f'<div style="overflow-x: auto">{image}</div>'


def explained(explanation: Explanation) -> str:
    """Return the explanation of some gradient calls."""
    mistakes = explanation.mistakes
    first = map(paragraph, in_all(mistakes, explanation.report))
    reported = [*first, *map(_mistake, mistakes), *map(paragraph, explanation.further_sentences)]
    return "".join([*reported, *map(_note, explanation.report.notes)])


def _mistake(mistake: Mistake) -> str:
    finding = mistake.finding
    sure = f" ({mistake.sure})" if mistake.sure else ""
    location = f"<code>{escape(str(finding.location))}</code>: {escape(finding.label)}"
    more = f"minitape explain {finding.code}"
    written = [("", mistake.new_line)] if mistake.new_line else []
    table = _table(("why", finding.message + sure), ("try", mistake.fix), *written, ("more", more))
    head = f"<p><b>{escape(mistake.headline + mistake.often)}</b></p><p>{location}</p>"
    return f'<div style="{_BLOCK}">{head}{table}</div>'


def _table(*rows: tuple[str, str]) -> str:
    reported = (
        f'<tr><th scope="row">{label}</th><td style="text-align: left">{escape(text)}</td></tr>'
        for label, text in rows
    )
    return f"<table>{''.join(reported)}</table>"


def _note(note: GradientNote) -> str:
    location = f"<code>{escape(str(note.location))}</code>: {escape(note.label)}"
    more = f"minitape explain {note.code}"
    head = f"<p><b>{escape(f'note: {note.headline}')}</b></p><p>{location}</p>"
    table = _table(("why", note.message), ("try", note.fix), ("more", more))
    return f'<div style="{_NOTE}">{head}{table}</div>'


def frame(page: str) -> str:
    """Return a page with its own scripts, in a frame that it cannot leave."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="the run, step by step"'
        f' style="{_FRAME}"></iframe>'
    )


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
