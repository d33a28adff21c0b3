"""The colors and line styles of a picture, light and dark; color is never the only distinction.

The hues are those of Okabe and Ito, darkened until text on them has a contrast of 4.5 to 1 (a test measures it).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from minitape.draw import words
from minitape.draw.model import EdgeKind, Role, Strip, TextTone
from minitape.errors import DrawError


@dataclass(frozen=True)
class CardPaint:
    """The colors of a node: the border and header in `line`, the body in `fill`."""

    line: str
    fill: str
    border: int = 1
    dashed: bool = False


@dataclass(frozen=True)
class Stroke:
    """The style of an edge; `style` and `head` are Graphviz attributes.

    `text` is the color of its label, because a line may be fainter than text.
    """

    color: str
    text: str
    width: float
    style: str = "solid"
    head: str = "normal"


@dataclass(frozen=True)
class Palette:
    """The colors and strokes of one theme."""

    name: str
    paper: str
    on_header: str
    quiet: str
    loop: str
    cell: str
    plus: str
    minus: str
    gradient: str
    bad_cell: str
    tones: Mapping[TextTone, str]
    roles: Mapping[Role, CardPaint]
    flows: Mapping[EdgeKind, Stroke]


def _flows(path: str, quiet: str, text: str, problem: str, gradient: str) -> dict[EdgeKind, Stroke]:
    return {
        EdgeKind.PATH: Stroke(path, path, 2.2),
        EdgeKind.OFF: Stroke(quiet, text, 1.0),
        EdgeKind.CONSTANT: Stroke(quiet, text, 1.0, "dashed"),
        EdgeKind.CUT: Stroke(problem, problem, 2.2, "dashed", "tee"),
        EdgeKind.GHOST: Stroke(problem, problem, 1.4, "dotted"),
        EdgeKind.BAD: Stroke(problem, problem, 2.2, "dashed"),
        EdgeKind.CARRIED: Stroke(path, path, 2.2),
        EdgeKind.GRADIENT: Stroke(gradient, gradient, 2.2, head="vee"),
    }


LIGHT = Palette(
    name="light",
    paper="#ffffff",
    on_header="#ffffff",
    quiet="#c3c8d0",
    loop="#00795a",
    cell="#ffffff",
    plus="#0072b2",
    minus="#d55e00",
    gradient="#8a3b7d",
    bad_cell="#000000",
    tones={
        TextTone.PLAIN: "#1b1f24",
        TextTone.MUTED: "#5f6672",
        TextTone.GRADIENT: "#8a3b7d",
        TextTone.PROBLEM: "#c43d00",
    },
    roles={
        Role.VARIABLE: CardPaint("#0072b2", "#eaf4fb"),
        Role.WATCHED: CardPaint("#0072b2", "#eaf4fb"),
        Role.SOURCE: CardPaint("#0072b2", "#fafafa", dashed=True),
        Role.PATH: CardPaint("#00795a", "#e9f7f2"),
        Role.OFF: CardPaint("#5b6470", "#f5f6f8"),
        Role.UNRECORDED: CardPaint("#5b6470", "#f5f6f8", dashed=True),
        Role.CONSTANT: CardPaint("#8a919c", "#ffffff", dashed=True),
        Role.REENTRY: CardPaint("#6f7682", "#fafafa", dashed=True),
        Role.TARGET: CardPaint("#1b1f24", "#fff8e1", border=2),
        Role.BREAK: CardPaint("#c43d00", "#fff0e8", border=2, dashed=True),
        Role.PROBLEM: CardPaint("#c43d00", "#fff0e8", border=3),
        Role.CARRIED: CardPaint("#00795a", "#ffffff", dashed=True),
        Role.HIDDEN: CardPaint("#8a919c", "#ffffff", dashed=True),
        Role.CLOSED: CardPaint("#00795a", "#ffffff", border=2),
        Role.BACKWARD_DONE: CardPaint("#8a3b7d", "#fbeff8"),
    },
    flows=_flows("#00795a", "#a3aab5", "#5f6672", "#c43d00", "#8a3b7d"),
)

DARK = Palette(
    name="dark",
    paper="#14181d",
    on_header="#14181d",
    quiet="#4a525e",
    loop="#2fbf92",
    cell="#14181d",
    plus="#3f9fdd",
    minus="#ff9a4d",
    gradient="#e08bd0",
    bad_cell="#ffffff",
    tones={
        TextTone.PLAIN: "#e8eaed",
        TextTone.MUTED: "#9aa3af",
        TextTone.GRADIENT: "#e08bd0",
        TextTone.PROBLEM: "#ff7a3d",
    },
    roles={
        Role.VARIABLE: CardPaint("#3f9fdd", "#16283a"),
        Role.WATCHED: CardPaint("#3f9fdd", "#16283a"),
        Role.SOURCE: CardPaint("#3f9fdd", "#1a1e25", dashed=True),
        Role.PATH: CardPaint("#2fbf92", "#12302a"),
        Role.OFF: CardPaint("#8a93a1", "#20252d"),
        Role.UNRECORDED: CardPaint("#8a93a1", "#20252d", dashed=True),
        Role.CONSTANT: CardPaint("#7d8693", "#14181d", dashed=True),
        Role.REENTRY: CardPaint("#7d8693", "#1a1e25", dashed=True),
        Role.TARGET: CardPaint("#f2c94c", "#332b14", border=2),
        Role.BREAK: CardPaint("#ff7a3d", "#3a2016", border=2, dashed=True),
        Role.PROBLEM: CardPaint("#ff7a3d", "#3a2016", border=3),
        Role.CARRIED: CardPaint("#2fbf92", "#14181d", dashed=True),
        Role.HIDDEN: CardPaint("#7d8693", "#14181d", dashed=True),
        Role.CLOSED: CardPaint("#2fbf92", "#14181d", border=2),
        Role.BACKWARD_DONE: CardPaint("#e08bd0", "#2b1a28"),
    },
    flows=_flows("#2fbf92", "#6b7482", "#9aa3af", "#ff7a3d", "#e08bd0"),
)

THEMES = {palette.name: palette for palette in (LIGHT, DARK)}


def palette_of(theme: str) -> Palette:
    """Return the palette with this name.

    Raises:
        DrawError: there is no palette with this name.
    """
    if theme not in THEMES:
        raise DrawError(f"{theme!r} is not a theme.", code="MT903", fix=words.one_of(list(THEMES)))
    return THEMES[theme]


def cell_colors(strip: Strip, palette: Palette) -> list[str]:
    """Return the color of each cell: empty for 0, full for the largest number of the strip, solid for nan and inf."""
    colors = []
    for cell in strip.cells:
        full = palette.gradient if strip.is_gradient else palette.plus
        if cell is None:
            colors.append(palette.bad_cell)
        else:
            colors.append(
                _mix(palette.cell, full if cell >= 0 else palette.minus, min(1.0, abs(cell)))
            )
    return colors


def _mix(start: str, end: str, fraction: float) -> str:
    pairs = zip(bytes.fromhex(start[1:]), bytes.fromhex(end[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * fraction):02x}" for a, b in pairs)


# For text output: the connectors of the tree, and their ASCII replacements.
RAILS = {
    EdgeKind.PATH: "│",
    EdgeKind.OFF: "┆",
    EdgeKind.CONSTANT: "┆",
    EdgeKind.CUT: "╳",
    EdgeKind.GHOST: "┊",
    EdgeKind.BAD: "║",
    EdgeKind.CARRIED: "│",
    EdgeKind.GRADIENT: "↑",
}
BRANCHES = {**RAILS, EdgeKind.PATH: "─", EdgeKind.OFF: "─", EdgeKind.CONSTANT: "─"}
ASCII = str.maketrans(
    {"│": "|", "┆": ":", "┊": ".", "╳": "X", "║": "#", "├": "+", "─": "-", "→": "->", "›": ">"}
    | {"·": "-", "×": "x", "…": "...", "−": "-", "↑": "^"}
)
