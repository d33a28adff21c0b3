"""The colors and line styles of a picture, light and dark; color is never the only distinction.

The hues are those of Okabe and Ito, darkened until text on them has a contrast of 4.5 to 1 (a test measures it).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from minitape.draw.model import Flow, Role, Strip, Tone
from minitape.errors import DrawError


@dataclass(frozen=True)
class Paint:
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
    """One theme."""

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
    tones: Mapping[Tone, str]
    roles: Mapping[Role, Paint]
    flows: Mapping[Flow, Stroke]


def _flows(path: str, quiet: str, text: str, problem: str, gradient: str) -> dict[Flow, Stroke]:
    return {
        Flow.PATH: Stroke(path, path, 2.2),
        Flow.OFF: Stroke(quiet, text, 1.0),
        Flow.CONSTANT: Stroke(quiet, text, 1.0, "dashed"),
        Flow.CUT: Stroke(problem, problem, 2.2, "dashed", "tee"),
        Flow.GHOST: Stroke(problem, problem, 1.4, "dotted"),
        Flow.BAD: Stroke(problem, problem, 2.2, "dashed"),
        Flow.CARRIED: Stroke(path, path, 2.2),
        Flow.GRADIENT: Stroke(gradient, gradient, 2.2, head="vee"),
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
        Tone.PLAIN: "#1b1f24",
        Tone.MUTED: "#5f6672",
        Tone.GRADIENT: "#8a3b7d",
        Tone.PROBLEM: "#c43d00",
    },
    roles={
        Role.VARIABLE: Paint("#0072b2", "#eaf4fb"),
        Role.WATCHED: Paint("#0072b2", "#eaf4fb"),
        Role.SOURCE: Paint("#0072b2", "#fafafa", dashed=True),
        Role.PATH: Paint("#00795a", "#e9f7f2"),
        Role.OFF: Paint("#5b6470", "#f5f6f8"),
        Role.UNRECORDED: Paint("#5b6470", "#f5f6f8", dashed=True),
        Role.CONSTANT: Paint("#8a919c", "#ffffff", dashed=True),
        Role.REENTRY: Paint("#6f7682", "#fafafa", dashed=True),
        Role.TARGET: Paint("#1b1f24", "#fff8e1", border=2),
        Role.BREAK: Paint("#c43d00", "#fff0e8", border=2, dashed=True),
        Role.PROBLEM: Paint("#c43d00", "#fff0e8", border=3),
        Role.CARRIED: Paint("#00795a", "#ffffff", dashed=True),
        Role.HIDDEN: Paint("#8a919c", "#ffffff", dashed=True),
        Role.CLOSED: Paint("#00795a", "#ffffff", border=2),
        Role.WALKED: Paint("#8a3b7d", "#fbeff8"),
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
        Tone.PLAIN: "#e8eaed",
        Tone.MUTED: "#9aa3af",
        Tone.GRADIENT: "#e08bd0",
        Tone.PROBLEM: "#ff7a3d",
    },
    roles={
        Role.VARIABLE: Paint("#3f9fdd", "#16283a"),
        Role.WATCHED: Paint("#3f9fdd", "#16283a"),
        Role.SOURCE: Paint("#3f9fdd", "#1a1e25", dashed=True),
        Role.PATH: Paint("#2fbf92", "#12302a"),
        Role.OFF: Paint("#8a93a1", "#20252d"),
        Role.UNRECORDED: Paint("#8a93a1", "#20252d", dashed=True),
        Role.CONSTANT: Paint("#7d8693", "#14181d", dashed=True),
        Role.REENTRY: Paint("#7d8693", "#1a1e25", dashed=True),
        Role.TARGET: Paint("#f2c94c", "#332b14", border=2),
        Role.BREAK: Paint("#ff7a3d", "#3a2016", border=2, dashed=True),
        Role.PROBLEM: Paint("#ff7a3d", "#3a2016", border=3),
        Role.CARRIED: Paint("#2fbf92", "#14181d", dashed=True),
        Role.HIDDEN: Paint("#7d8693", "#14181d", dashed=True),
        Role.CLOSED: Paint("#2fbf92", "#14181d", border=2),
        Role.WALKED: Paint("#e08bd0", "#2b1a28"),
    },
    flows=_flows("#2fbf92", "#6b7482", "#9aa3af", "#ff7a3d", "#e08bd0"),
)

THEMES = {palette.name: palette for palette in (LIGHT, DARK)}


def palette_of(theme: str) -> Palette:
    """The palette of this name.

    Raises:
        DrawError: there is none.
    """
    if theme not in THEMES:
        raise DrawError(f"{theme!r} is not a theme.", code="MT903", fix=" or ".join(THEMES))
    return THEMES[theme]


def cell_colors(strip: Strip, palette: Palette) -> list[str]:
    """The color of each cell: empty at 0, full at the largest of the strip, solid for nan and inf."""
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


def _mix(start: str, end: str, share: float) -> str:
    pairs = zip(bytes.fromhex(start[1:]), bytes.fromhex(end[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


# For text: the connectors of the tree, and their ASCII replacements.
RAILS = {
    Flow.PATH: "│",
    Flow.OFF: "┆",
    Flow.CONSTANT: "┆",
    Flow.CUT: "╳",
    Flow.GHOST: "┊",
    Flow.BAD: "║",
    Flow.CARRIED: "│",
    Flow.GRADIENT: "↑",
}
BRANCHES = {**RAILS, Flow.PATH: "─", Flow.OFF: "─", Flow.CONSTANT: "─"}
ASCII = str.maketrans(
    {"│": "|", "┆": ":", "┊": ".", "╳": "X", "║": "#", "├": "+", "─": "-", "→": "->", "›": ">"}
    | {"·": "-", "×": "x", "…": "...", "−": "-", "↑": "^"}
)
