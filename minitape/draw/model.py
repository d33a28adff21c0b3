"""A picture of a tape as plain data, before its layout.

    Picture
      caption     the result, line by line
      Card        a node for an op, a source, the target or a break: header, code, rows, line
        CardRow     value, grad, why, fix or note, possibly with a strip of cells
      Pill        a small node: a constant, a stub of a variable, an omitted part
      Edge        a connection between two nodes
      LoopFrame   a frame around the nodes of a collapsed loop

Every writer (DOT, SVG, text) uses only this data, so all of them show the same picture.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import field

from minitape.trace.events import Numbers, TraceStruct


class Role(StrEnum):
    """The meaning of a node; its value is the class in the SVG."""

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
    BACKWARD_DONE = "walked"


class EdgeKind(StrEnum):
    """The meaning of an edge; its value is the class in the SVG."""

    PATH = "path"
    OFF = "plain"
    CONSTANT = "const"
    CUT = "cut"
    GHOST = "ghost"
    BAD = "brk"
    CARRIED = "carried"
    GRADIENT = "grad"

    @property
    def carries_gradient(self) -> bool:
        """Whether a gradient flows back along such an edge."""
        return self in (EdgeKind.PATH, EdgeKind.CARRIED)


class TextTone(StrEnum):
    """The importance of a text, from which the palette derives its color."""

    PLAIN = "ink"
    MUTED = "muted"
    GRADIENT = "gradient"
    PROBLEM = "problem"


class CaptionLine(TraceStruct):
    """A line of the caption."""

    text: str
    tone: TextTone = TextTone.PLAIN


class Strip(TraceStruct):
    """At most 16 numbers as colored cells: -1 to 1 for values, 0 to 1 for |gradients|; None for nan or inf."""

    cells: tuple[float | None, ...]
    is_gradient: bool = False


class CardRow(TraceStruct):
    """A labeled line of a node: `value 4.0`."""

    label: str
    text: str
    tone: TextTone = TextTone.PLAIN
    strip: Strip | None = None

    @property
    def kind(self) -> str:
        """The class of its text in the SVG: `value`, `grad` or `note`."""
        name = self.label.strip("|")
        return name if name in ("value", "grad") else "note"


class LazyRow(CardRow, kw_only=True):
    """A row of numbers whose text is created only when needed, because most nodes of a long run are collapsed and never
    show it.
    """

    text: str = ""
    numbers: Numbers
    note: str = ""


class Card(TraceStruct):
    """A node with `title` and `tag` in the header, the user's `code`, rows, and its line in the source.

    `event` is the number of its trace event, `op` the number of the op, and `values` the ids of its outputs. If the title is a
    shortened name, `name` is the whole name.
    """

    id: str
    role: Role
    title: str
    tag: str
    code: str = ""
    rows: tuple[CardRow, ...] = ()
    location: str = ""
    event: int | None = None
    op: int | None = None
    values: tuple[int, ...] = ()
    name: str = ""

    @property
    def hint(self) -> str:
        """The tooltip."""
        return f"{self.name or self.title} {self.location}".strip()


class Pill(TraceStruct):
    """A rounded label without rows: a constant at its use, a variable at its read, or an omitted part.

    `stub_of` is the id of the variable's node. `name` has the same meaning as for a card.
    """

    id: str
    role: Role
    title: str
    note: str = ""
    stub_of: str = ""
    name: str = ""

    @property
    def hint(self) -> str:
        """The tooltip."""
        return f"{self.name or self.title} {self.note}".strip()


Node = Card | Pill


class Edge(TraceStruct):
    """A connection from `tail` to `head` (ids of nodes)."""

    tail: str
    head: str
    flow: EdgeKind
    label: str = ""


class LoopFrame(TraceStruct):
    """The nodes (by id) that represent several iterations of the same lines; `title` is the loop's own line.

    For a loop within another loop, `inside` is the outer loop, and its nodes are members of the inner loop only. `frame` is the
    number of calls between the module and the loop.
    """

    id: str
    title: str
    note: str
    members: tuple[str, ...]
    inside: str = ""
    frame: int = 0


class Picture(TraceStruct, dict=True, gc=True):
    """Everything that is drawn, in the order of the run. `hidden` lists the omitted parts.

    `home` maps the id that a node had before collapsing to the node that shows it now; omitted nodes have no entry.
    """

    name: str
    caption: tuple[CaptionLine, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    loops: tuple[LoopFrame, ...] = ()
    hidden: tuple[str, ...] = ()
    home: Mapping[str, str] = field(default_factory=dict)

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Card))

    def edges_between(self, tail: str, head: str) -> tuple[str, ...]:
        """Return the ids in the SVG of the edges between two nodes of the sketch before collapsing.

        A value that a loop carries has two edges: one to the pill and one from the pill.
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
        """The indices of edges that lead up the page, which are contributions of the backward pass and values that a loop carries
        to the next iteration.
        """
        carried = {node.id for node in self.nodes if node.role is Role.CARRIED}
        return frozenset(
            position
            for position, edge in enumerate(self.edges)
            if edge.flow in (EdgeKind.GRADIENT, EdgeKind.CARRIED) or edge.tail in carried
        )

    @cached_property
    def _edge_ids(self) -> dict[tuple[str, str], str]:
        forward = (
            (position, edge)
            for position, edge in enumerate(self.edges)
            if edge.flow is not EdgeKind.GRADIENT
        )
        return {(edge.tail, edge.head): edge_id(position) for position, edge in forward}


def edge_id(position: int) -> str:
    """Return the id in the SVG of the edge at this index of `Picture.edges`."""
    return f"edge-{position + 1}"


def carried_id(tail: str, head: str) -> str:
    """Return the id of the pill between two nodes of a loop, the later one first."""
    return f"carried-{tail}-{head}"
