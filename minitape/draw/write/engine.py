"""Converts DOT text to SVG, PNG or PDF with the best layout program available. The last of these is always available:

    1  the program that MINITAPE_DOT names
    2  graphviz-pure next to this Python, or on the PATH
    3  dot on the PATH
    4  the built-in layout, which writes SVG

Formats that a program cannot write are rendered from its SVG, if the necessary libraries are installed (`paper.py`).
The built-in layout is also used for a picture that would take a program too long; for PNG, a program then renders the result.
A program that is missing, slow or broken leads to a note about the picture, not to an error.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from minitape.draw import words
from minitape.draw.model import Picture
from minitape.draw.write import paper
from minitape.draw.write.classes import with_classes, with_lengths
from minitape.draw.write.dot import FREE, Attributes, dot
from minitape.draw.write.mermaid import mermaid
from minitape.draw.write.pins import KEEP_POSITIONS, pins_of
from minitape.draw.write.svg import svg
from minitape.draw.write.titles import with_clear_titles
from minitape.errors import DrawError
from minitape.trace.writing import seldom_searched

BUILT_IN = "built-in"
FORMATS = ("svg", "png", "pdf", "dot", "mermaid")
ENV = "MINITAPE_DOT"
MOST_COST = 16_000
_MOST_DOTS = 50_000_000
_LONG_EDGE = 12
_NODE_COST = 4
_DOTS_PER_POINT = 96 / 72
_INSTALL = "pip install graphviz-pure"


@dataclass(frozen=True)
class LayoutEngine:
    """A layout program; without a path, the built-in layout."""

    name: str
    path: Path | None
    version: str

    @property
    def formats(self) -> tuple[str, ...]:
        if self.path is None:
            return ("svg", "dot")
        return ("svg", "png", "dot") if self.name == "graphviz-pure" else FORMATS


@dataclass(frozen=True)
class Rendered:
    """A picture as bytes, the layout program that was used, and a note if it is not the expected program."""

    data: bytes
    engine: str
    note: str | None = None


def find_engine(name: str | None = None) -> LayoutEngine:
    """Return the layout program to use.

    Args:
        name: `graphviz-pure`, `dot`, `built-in` or the path of a program; None selects the best program.

    Raises:
        DrawError: the named program is not installed.
    """
    if name is not None:
        engine = _named(name)
        if engine is None:
            raise DrawError(
                f"The layout program {name!r} is not installed.",
                code="MT901",
                fix=f"run `{_INSTALL}`, or remove `--engine`",
            )
        return engine
    found = (_named(candidate) for candidate in _candidates())
    return next((engine for engine in found if engine is not None), _built_in())


def _candidates() -> Iterator[str]:
    wished = os.environ.get(ENV)
    if wished:
        yield wished
    yield "graphviz-pure"
    yield "dot"


def _named(name: str) -> LayoutEngine | None:
    if name == BUILT_IN:
        return _built_in()
    path = _find(name)
    return LayoutEngine(path.stem, path, _version(path)) if path is not None else None


def _built_in() -> LayoutEngine:
    return LayoutEngine(BUILT_IN, None, "")


def _find(name: str) -> Path | None:
    # If Python is run by its path in a virtual environment, the scripts of that environment are not on the PATH.
    beside = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    locations = [*map(str, beside), os.environ.get("PATH", os.defpath)]
    found = shutil.which(
        name, path=os.pathsep.join(locations if name == "graphviz-pure" else locations[2:])
    )
    return Path(found) if found else None


@lru_cache(maxsize=8)
def _version(path: Path) -> str:
    try:
        reported = subprocess.run(
            [path, "-V"], capture_output=True, text=True, timeout=10, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    number = re.search(r"\d+(\.\d+)+", reported.stdout + reported.stderr)
    return number.group() if number else ""


@seldom_searched()
def render(
    picture: Picture,
    fmt: str = "svg",
    *,
    engine: str | None = None,
    theme: str = "light",
    rankdir: str = "TB",
    legend: bool = True,
    two_heads: bool = False,
    timeout: float = 5.0,
) -> Rendered:
    """Return the picture as the content of a file.

    Args:
        picture: The picture.
        fmt: `svg`, `png`, `pdf`, `dot` or `mermaid`.
        engine: Has the same meaning as in `find_engine`.
        theme: `light` or `dark`.
        rankdir: `TB` (down) or `LR` (to the right).
        legend: Add a legend of the symbols in the picture.
        two_heads: Add a second, hidden arrowhead to edges on the path in an SVG, so that a style sheet can reverse them.
        timeout: Seconds that a layout program may take.

    Returns:
        The bytes, the name of the layout program, and a note if that is not the expected program.

    Raises:
        DrawError: the format is unknown, or no program can write it, which can happen only for PNG and PDF.
    """
    if fmt not in FORMATS:
        raise DrawError(
            f"A picture cannot be written as {fmt!r}.", code="MT903", fix=words.one_of(FORMATS)
        )
    if fmt == "mermaid":
        return Rendered(mermaid(picture, theme=theme, rankdir=rankdir).encode(), "mermaid source")
    spec = _EngineSpec(picture, fmt, theme, rankdir, legend, two_heads and fmt == "svg", timeout)
    if fmt == "dot":
        return Rendered(spec.dot().encode(), "graphviz source")
    found = find_engine(engine)
    if fmt not in found.formats:
        found = _other_for(found, fmt, is_wished=engine is not None)
    if fmt not in found.formats:
        return _painted_from_svg(found, spec)
    note = _note(found)
    if found.path is not None:
        data, trouble = _laid_out(found, spec)
        if data is None and fmt == "png":
            data, trouble = _painted(found, spec)
        if data is not None and fmt == "svg":
            drawn = with_classes(data.decode(), picture, two_heads=spec.two_heads)
            data = with_clear_titles(with_lengths(drawn)).encode()
        if data is not None:
            return Rendered(data, found.name, note)
        if fmt != "svg":
            raise DrawError(
                f"{fmt.upper()} cannot be written: {trouble}.",
                code="MT901",
                fix="write the picture as SVG",
            )
        note = f"{trouble}, so the built-in layout was used"
    return Rendered(spec.svg().encode(), BUILT_IN, note)


@dataclass(frozen=True)
class _EngineSpec:
    """The arguments of `render`."""

    picture: Picture
    fmt: str
    theme: str
    rankdir: str
    legend: bool
    two_heads: bool
    timeout: float

    def dot(self, pins: Attributes = FREE) -> str:
        return dot(
            self.picture,
            theme=self.theme,
            rankdir=self.rankdir,
            legend=self.legend,
            two_heads=self.two_heads,
            pins=pins,
        )

    def svg(self) -> str:
        return svg(
            self.picture,
            theme=self.theme,
            rankdir=self.rankdir,
            legend=self.legend,
            two_heads=self.two_heads,
        )


def _other_for(engine: LayoutEngine, fmt: str, *, is_wished: bool) -> LayoutEngine:
    """Return the program for a format that the best engine cannot write: `dot` of Graphviz, or the same engine, whose SVG is then
    rendered.
    """
    other = None if is_wished else _named("dot")
    if other is not None and fmt in other.formats:
        return other
    if paper.can_paint(fmt):
        return engine
    program = "" if fmt == "pdf" else f" or `{_INSTALL}`"
    raise DrawError(
        f"{engine.name} cannot write {fmt.upper()}.",
        code="MT901",
        fix=f"run `{paper.INSTALL}`{program}, or write SVG instead",
    )


def _painted_from_svg(engine: LayoutEngine, spec: _EngineSpec) -> Rendered:
    drawn = render(
        spec.picture,
        engine=engine.name if engine.path is None else str(engine.path),
        theme=spec.theme,
        rankdir=spec.rankdir,
        legend=spec.legend,
        timeout=spec.timeout,
    )
    data, note = paper.painted(drawn.data.decode(), spec.fmt, spec.picture.name)
    notes = [each for each in (drawn.note, note) if each]
    return Rendered(data, drawn.engine, "; ".join(notes) or None)


def _note(engine: LayoutEngine) -> str | None:
    wished = os.environ.get(ENV)
    if wished and _find(wished) is None and wished != BUILT_IN:
        return f"{ENV} names a program that does not exist ({wished}), so {engine.name} drew the picture"
    if engine.path is None and wished != BUILT_IN:
        return f"drawn with the built-in layout; for PNG and better edges, run `{_INSTALL}`"
    return None


def _laid_out(engine: LayoutEngine, spec: _EngineSpec) -> tuple[bytes | None, str]:
    """Return the result of the layout program, or None and the reason."""
    if layout_cost(spec.picture) > MOST_COST:
        return None, f"{len(spec.picture.nodes):,} nodes are too many for {engine.name}"
    return _run(engine, spec, spec.dot())


def _painted(engine: LayoutEngine, spec: _EngineSpec) -> tuple[bytes | None, str]:
    """Return the result of a program that rendered the built-in layout."""
    pins = pins_of(spec.picture, spec.rankdir)
    wide, high = pins.width * _DOTS_PER_POINT, pins.height * _DOTS_PER_POINT
    if wide * high > _MOST_DOTS:
        return None, f"the picture would be {wide:,.0f} × {high:,.0f} pixels, which is too large"
    return _run(engine, spec, spec.dot(pins.of), *KEEP_POSITIONS)


def _run(
    engine: LayoutEngine, spec: _EngineSpec, text: str, *options: str
) -> tuple[bytes | None, str]:
    assert engine.path is not None
    try:
        done = subprocess.run(
            [engine.path, "-q", f"-T{spec.fmt}", *options],
            input=text.encode(),
            capture_output=True,
            timeout=spec.timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"{engine.name} took more than {spec.timeout:g} s"
    except OSError as error:
        return None, f"{engine.name} could not be started ({error.strerror})"
    if done.returncode or not done.stdout:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reason = said[-1] if said else f"exit code {done.returncode}"
        return None, f"{engine.name} stopped ({reason})"
    return done.stdout, ""


def layout_cost(picture: Picture) -> int:
    """Return an estimate of the effort to lay out a picture: the number of its nodes and of the rows that long edges cross."""
    location = {node.id: position for position, node in enumerate(picture.nodes)}
    spans = (abs(location[edge.head] - location[edge.tail]) for edge in picture.edges)
    return _NODE_COST * len(picture.nodes) + sum(span for span in spans if span > _LONG_EDGE)
