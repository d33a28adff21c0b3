"""Pictures, pages and explanations that notebooks display and that can be saved.

    Graph, drawn    a picture of a gradient call
    Page, paged     a page to step through a run
    NotebookAnswer  an explanation
    placeholder     a line in place of a picture

These classes wrap plain data: `Trace` and `Explanation` do not depend on how they are displayed.

Jupyter, VS Code, marimo and Quarto ask each object for its `_repr_mimebundle_`, with the same content as text and as HTML.

Source: https://ipython.readthedocs.io/en/stable/config/integrating.html
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import msgspec

from minitape import draw
from minitape.explain.answer import Explanation
from minitape.explain.explain import explain
from minitape.explain.report import Report
from minitape.notebook import markup
from minitape.trace import events
from minitape.trace.events import Event
from minitape.trace.trace import Trace

if TYPE_CHECKING:  # a large import, and rarely needed
    from minitape.html.data.term_data import Described
    from minitape.timeline import Timeline

Bundle = dict[str, str]


class Looks(TypedDict, total=False):
    """The options of a picture: those of `minitape.draw.picture` and `minitape.draw.render`."""

    call: int | None
    cards: int | None
    view: str
    values: str
    path: bool
    around: int | None
    hops: int
    constants: bool
    unroll: bool
    open: Sequence[str]
    close: Sequence[str]
    log: bool
    theme: str
    rankdir: str
    legend: bool
    engine: str | None


_QUESTIONS = (events.GradientEvent, events.SeedEvent, events.BackEvent, events.ResultEvent)
_PAINT = ("theme", "rankdir", "legend", "engine")


@dataclass(frozen=True, repr=False)
class Graph:
    """A picture: a notebook displays it, `print` writes it as plain text, `save` writes it to a file.

    `picture` is its data; the other attributes are as for `minitape.draw.render`.
    """

    picture: draw.Picture
    theme: str = "light"
    rankdir: str = "TB"
    legend: bool = False
    engine: str | None = None

    @property
    def svg(self) -> str:
        """The picture as an SVG document."""
        return self._as("svg").decode()

    @property
    def dot(self) -> str:
        """The picture in Graphviz's DOT language."""
        return self._as("dot").decode()

    def save(self, path: str | Path) -> None:
        """Write the picture to a file; the suffix (.svg, .png, .pdf, .dot, .mmd, .txt) determines the format.

        Raises:
            DrawError: the format is unknown, or no installed program can write it, which can happen only for PNG and PDF.
        """
        suffix = Path(path).suffix.lower().removeprefix(".")
        fmt = "mermaid" if suffix == "mmd" else suffix
        Path(path).write_bytes(f"{self}\n".encode() if fmt == "txt" else self._as(fmt))

    def _as(self, fmt: str) -> bytes:
        return draw.render(
            self.picture,
            fmt,
            engine=self.engine,
            theme=self.theme,
            rankdir=self.rankdir,
            legend=self.legend,
        ).data

    def __str__(self) -> str:
        return draw.text(self.picture)

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        """Return what a notebook displays: the picture."""
        caption = " ".join(line.text for line in self.picture.caption)
        return {"text/plain": str(self), "text/html": markup.picture(self.svg, caption)}


@dataclass(frozen=True, repr=False)
class Page:
    """An HTML page to step through a run: a notebook displays it in a frame, `save` writes it to a file."""

    html: str

    def save(self, path: str | Path) -> None:
        """Write the page to a file, which any browser can display without a network."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return "<page to step through a run: .save('run.html') writes it to a file>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        """Return what a notebook displays: the page in a frame that isolates its keyboard shortcuts, styles and scripts."""
        return {"text/plain": repr(self), "text/html": markup.frame(self.html)}


# --- from a trace ---


def drawn(trace: Trace, report: Report | None = None, **looks: Unpack[Looks]) -> Graph:
    """Return the picture of one gradient call.

    Args:
        trace: The run.
        report: The findings about it; None computes them.
        looks: Options of `minitape.draw.picture` and `minitape.draw.render`.

    Raises:
        DrawError: the trace has no such call.
    """
    requested: dict[str, Any] = dict(looks)
    paint = {name: requested.pop(name) for name in _PAINT if name in requested}
    return Graph(draw.picture(trace, report or explain(trace), **requested), **paint)


def only_under(tape: int, trace: Trace) -> Trace:
    """Return the events under one tape, as a trace without gradient calls."""
    kept: list[Event] = [
        event
        for event in trace
        if not isinstance(event, _QUESTIONS)
        and (not isinstance(event, events.OpEvent) or tape in event.tapes)
    ]
    return Trace([msgspec.structs.replace(event, i=i) for i, event in enumerate(kept)])


def paged(trace: Trace, expansions: "Callable[[Trace, Timeline], Described] | None" = None) -> Page:
    """Return the page to step through a run; `expansions` as for `page`."""
    from minitape.html import page  # a large import, and rarely needed

    return Page(page(trace, explain(trace), expansions=expansions))


# --- what is shown of what ---


class NotebookAnswer(Explanation):
    """The explanation that a user gets for gradients."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        """Return what a notebook displays: the explanation as HTML."""
        return {"text/plain": str(self), "text/html": markup.explained(self)}


def placeholder(text: str) -> Bundle:
    """Return a line in place of a picture."""
    return {"text/plain": text, "text/html": markup.paragraph(text)}
