"""A picture of a tape as plain data: what is on it, before anyone decides where.

    Picture
      caption     the answer, line by line
      Card        an op, a source, the target, a break: header, code, rows, line
        Row         value, grad, why, fix or note, perhaps with a strip of cells
      Pill        what needs no card: a constant, a stub of a variable, what was left out
      Edge        what flows from one of them to another
      Loop        a frame around the cards of a loop that was rolled up

Every writer (DOT, SVG, text) draws from this and nothing else, so all of them show the same.
"""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a card or a pill stands for; the value is its class in the SVG."""

    VARIABLE = "var"
    WATCHED = "watched"
    SOURCE = "source"
    PATH = "path"
    OFF = "op"
    UNRECORDED = "unrecorded"
    CONSTANT = "const"
    REENTRY = "reentry"
    TARGET = "target"
    BREAK = "brk"
    PROBLEM = "bad"
    CARRIED = "carried"
    HIDDEN = "hidden"


class Flow(StrEnum):
    """What an edge says; the value is its class in the SVG."""

    PATH = "path"
    OFF = "plain"
    CONSTANT = "const"
    CUT = "cut"
    GHOST = "ghost"
    BAD = "brk"
    CARRIED = "carried"


class Tone(StrEnum):
    """How a piece of text is meant; the palette gives it a colour."""

    PLAIN = "ink"
    MUTED = "muted"
    GRADIENT = "gradient"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Line:
    """A line of the caption."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True)
class Strip:
    """At most 16 numbers as coloured cells: -1 to 1 for values, 0 to 1 for |gradients|; None is nan or inf."""

    cells: tuple[float | None, ...]
    is_gradient: bool = False


@dataclass(frozen=True)
class Row:
    """One labelled line of a card: `value 4.0`."""

    label: str
    text: str
    tone: Tone = Tone.PLAIN
    strip: Strip | None = None


@dataclass(frozen=True)
class Card:
    """A card: `title` and `tag` in the header, the user's `code`, rows, and where it was written.

    `event` is the number of the trace event behind it, `op` the number of the op, and `values` the ids it made.
    """

    id: str
    role: Role
    title: str
    tag: str
    code: str = ""
    rows: tuple[Row, ...] = ()
    place: str = ""
    event: int | None = None
    op: int | None = None
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Pill:
    """A rounded label without rows: a constant where it is used, a variable where it is read, what was left out.

    `stub_of` is the id of the variable's card.
    """

    id: str
    role: Role
    title: str
    note: str = ""
    stub_of: str = ""


Node = Card | Pill


@dataclass(frozen=True)
class Edge:
    """What flows from `tail` to `head` (ids of nodes)."""

    tail: str
    head: str
    flow: Flow
    label: str = ""


@dataclass(frozen=True)
class Loop:
    """The cards (by id) that stand for many runs of the same lines; `title` is the loop's own line."""

    id: str
    title: str
    note: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """All that is drawn, in the order of the run. `hidden` says in words what was left out."""

    name: str
    caption: tuple[Line, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    loops: tuple[Loop, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Card))
