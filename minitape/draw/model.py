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

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import field

from minitape.trace.events import Numbers, Record


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
    CLOSED = "closed"
    WALKED = "walked"


class Flow(StrEnum):
    """What an edge says; the value is its class in the SVG."""

    PATH = "path"
    OFF = "plain"
    CONSTANT = "const"
    CUT = "cut"
    GHOST = "ghost"
    BAD = "brk"
    CARRIED = "carried"
    GRADIENT = "grad"

    @property
    def turns_round(self) -> bool:
        """Whether a gradient goes back along such an edge."""
        return self in (Flow.PATH, Flow.CARRIED)


class Tone(StrEnum):
    """How a piece of text is meant; the palette gives it a colour."""

    PLAIN = "ink"
    MUTED = "muted"
    GRADIENT = "gradient"
    PROBLEM = "problem"


class Line(Record):
    """A line of the caption."""

    text: str
    tone: Tone = Tone.PLAIN


class Strip(Record):
    """At most 16 numbers as coloured cells: -1 to 1 for values, 0 to 1 for |gradients|; None is nan or inf."""

    cells: tuple[float | None, ...]
    is_gradient: bool = False


class Row(Record):
    """One labelled line of a card: `value 4.0`."""

    label: str
    text: str
    tone: Tone = Tone.PLAIN
    strip: Strip | None = None

    @property
    def kind(self) -> str:
        """The class of its text in the SVG: `value`, `grad` or `note`."""
        name = self.label.strip("|")
        return name if name in ("value", "grad") else "note"


class Unsaid(Row, kw_only=True):
    """A row of numbers that are not in words yet: in a long run most cards are rolled up, and nobody sees theirs."""

    text: str = ""
    numbers: Numbers
    note: str = ""


class Card(Record):
    """A card: `title` and `tag` in the header, the user's `code`, rows, and where it was written.

    `event` is the number of the trace event behind it, `op` the number of the op, and `values` the ids it made. Of a name that
    is too long for a header, `name` is all of it.
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
    name: str = ""

    @property
    def hint(self) -> str:
        """What is told on pointing at it."""
        return f"{self.name or self.title} {self.place}".strip()


class Pill(Record):
    """A rounded label without rows: a constant where it is used, a variable where it is read, what was left out.

    `stub_of` is the id of the variable's card, `name` as for a card.
    """

    id: str
    role: Role
    title: str
    note: str = ""
    stub_of: str = ""
    name: str = ""

    @property
    def hint(self) -> str:
        """What is told on pointing at it."""
        return f"{self.name or self.title} {self.note}".strip()


Node = Card | Pill


class Edge(Record):
    """What flows from `tail` to `head` (ids of nodes)."""

    tail: str
    head: str
    flow: Flow
    label: str = ""


class Loop(Record):
    """The cards (by id) that stand for many turns of the same lines; `title` is the loop's own line.

    A loop within another is `inside` that one, and its cards are members of itself alone. `frame` is how many calls down from
    the module it stands.
    """

    id: str
    title: str
    note: str
    members: tuple[str, ...]
    inside: str = ""
    frame: int = 0


class Picture(Record, dict=True, gc=True):
    """All that is drawn, in the order of the run. `hidden` says in words what was left out.

    `home` leads from the id that a node had before anything was folded to the node that shows it now; what was left out
    has no home.
    """

    name: str
    caption: tuple[Line, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    loops: tuple[Loop, ...] = ()
    hidden: tuple[str, ...] = ()
    home: Mapping[str, str] = field(default_factory=dict)

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Card))

    def edges_between(self, tail: str, head: str) -> tuple[str, ...]:
        """The ids in the SVG of the edges that show what flows from one node to another, as they were before any was folded.

        What a loop carries takes two edges: to the pill, and on from it.
        """
        start, end = self.home.get(tail), self.home.get(head)
        if start is None or end is None:
            return ()
        direct = self._edge_ids.get((start, end))
        if direct is not None:
            return (direct,)
        pill = carried_id(start, end)
        on_the_way = (self._edge_ids.get((start, pill)), self._edge_ids.get((pill, end)))
        return tuple(id_ for id_ in on_the_way if id_ is not None)

    @cached_property
    def upward(self) -> frozenset[int]:
        """The positions of edges that lead back up the page: what is sent back, and what a loop carries to its next turn."""
        carried = {node.id for node in self.nodes if node.role is Role.CARRIED}
        return frozenset(
            position
            for position, edge in enumerate(self.edges)
            if edge.flow in (Flow.GRADIENT, Flow.CARRIED) or edge.tail in carried
        )

    @cached_property
    def _edge_ids(self) -> dict[tuple[str, str], str]:
        forward = (
            (position, edge)
            for position, edge in enumerate(self.edges)
            if edge.flow is not Flow.GRADIENT
        )
        return {(edge.tail, edge.head): edge_id(position) for position, edge in forward}


def edge_id(position: int) -> str:
    """The id in the SVG of the edge at this position of `Picture.edges`."""
    return f"edge-{position + 1}"


def carried_id(tail: str, head: str) -> str:
    """The id of the pill that stands between two cards of a loop, the later one first."""
    return f"carried-{tail}-{head}"
