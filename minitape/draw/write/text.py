"""A picture as lines of plain text, with the target on top and the inputs of each node below it.

A node with a single input continues straight below, so that a chain of a hundred ops is not indented.
"""

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator

from minitape.draw.model import Card, Edge, EdgeKind, Node, Picture, Pill, Role
from minitape.draw.write.palette import ASCII, BRANCHES, RAILS

_NARROWEST = 16


def text(picture: Picture, *, ascii: bool = False, width: int = 100) -> str:
    """Return the picture as text for a terminal.

    Args:
        picture: The picture.
        ascii: Use only ASCII characters.
        width: The maximum number of columns. The result and the rows of a node are wrapped; other lines end in an ellipsis.
    """
    lines = [part for line in picture.caption for part in _wrapped(line.text, width)]
    lines.append("")
    tree = _Tree(picture, width)
    for root in tree.roots():
        lines += [*tree.under(root), ""]
    lines += [f"{loop.title}  {loop.note}" for loop in picture.loops]
    return fitted(lines, ascii=ascii, width=width)


def fitted(lines: Iterable[str], *, ascii: bool, width: int) -> str:
    """Return lines as one text, without empty lines at the end; longer lines end in an ellipsis."""
    shown = [line.rstrip() for line in lines]
    while shown and not shown[-1]:
        shown.pop()
    if ascii:
        shown = [
            line.translate(ASCII).encode("ascii", "backslashreplace").decode() for line in shown
        ]
    dots = "..." if ascii else "…"
    return "\n".join(
        line if len(line) <= width else line[: width - len(dots)] + dots for line in shown
    )


class _Tree:
    """The picture as a tree. A node with several uses is written in full only once; after that, only its name is written."""

    def __init__(self, picture: Picture, width: int) -> None:
        self._width = width
        self._nodes = {node.id: node for node in picture.nodes}
        self._into: dict[str, list[Edge]] = defaultdict(list)
        self._tails = {edge.tail for edge in picture.edges if edge.flow is not EdgeKind.CARRIED}
        for edge in picture.edges:
            if edge.flow is not EdgeKind.CARRIED and edge not in self._into[edge.head]:
                self._into[edge.head].append(edge)  # `x * x` is one line, not two
        self._written: set[str] = set()

    def roots(self) -> Iterator[str]:
        """Yield the nodes without users, the targets first; then the nodes that can be reached only through a cycle."""
        ends = [node for node in self._nodes.values() if node.id not in self._tails]
        for node in sorted(ends, key=lambda node: node.role is not Role.TARGET):
            yield node.id
        yield from (id_ for id_ in self._nodes if id_ not in self._written)

    def under(self, root: str) -> Iterator[str]:
        """Yield the lines of everything that leads to `root`, with a stack instead of recursion, because a chain may be long."""
        waiting: list[tuple[Edge | None, str, str]] = [(None, "", "")]
        while waiting:
            edge, first, rest = waiting.pop()
            id_ = root if edge is None else edge.tail
            label = f"  {edge.label}" if edge is not None and edge.label else ""
            if edge is not None and first == rest:
                yield rest + RAILS[edge.flow] + label
                label = ""
            if id_ in self._written:
                yield f"{first}{_title(self._nodes[id_])}  (see above){label}"
                continue
            self._written.add(id_)
            yield first + _title(self._nodes[id_]) + label
            details = _details(self._nodes[id_], self._width - len(rest))
            yield from (f"{rest}{line}" for line in details)
            # The last input continues straight down; the inputs before it branch off.
            into = self._into[id_]
            waiting += [(edge, rest, rest) for edge in into[-1:]]
            for branch in reversed(into[:-1]):
                waiting.append((branch, f"{rest}├{BRANCHES[branch.flow]} ", f"{rest}│  "))


def _title(node: Node) -> str:
    if isinstance(node, Pill):
        return f"({node.title})" + (f"  {node.note}" if node.note else "")
    code = f"  {node.code}" if node.code else ""
    location = f"  · {node.location}" if node.location else ""
    return f"[{node.title}] {node.tag}{code}{location}"


def _details(node: Node, width: int) -> Iterator[str]:
    rows: list[tuple[str, str]] = []
    for row in node.rows if isinstance(node, Card) else ():
        if row.label or not rows:
            rows.append((row.label, row.text))
        else:  # the node has already broken a long line at a suitable position
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {row.text}")
    for label, said in rows:
        start = f"    {label:<6} "
        for part in _wrapped(said, width - len(start)):
            yield start + part
            start = " " * len(start)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, _NARROWEST)) or [""]
