"""Which values came from which: asked for each source in each iteration of a training loop, and answered for all in one pass.

A search from one target reads the whole history of its variables, and a training loop would do so in each iteration. So the graph
is read once, in the order in which it grew, and each value is told which sources lie behind it: one bit for each.
"""

from collections.abc import Iterable, Sequence

from minitape.explain.flow.edges import Edge

# So many sources are followed in one pass: a value then needs at most so many bits.
_AT_ONCE = 1024


class Reachability:
    """What came from each of some sources, themselves included.

    Args:
        sources: The values that may be asked about, in the order in which they will be.
        edges: The graph in the order in which it grew: what leads to a value stands before what leaves it.
    """

    def __init__(self, sources: Iterable[int], edges: Sequence[Edge]) -> None:
        self._sources = list(dict.fromkeys(sources))
        self._place = {source: i for i, source in enumerate(self._sources)}
        self._edges = edges
        self._block = -1
        self._behind: dict[int, int] = {}

    def __contains__(self, source: int) -> bool:
        return source in self._place

    def leads(self, source: int, value: int) -> bool:
        """Whether `value` is `source`, or came from it."""
        block = self.block(source)
        if block != self._block:
            self._follow(block)
        return bool(self._behind.get(value, 0) >> self._place[source] % _AT_ONCE & 1)

    def block(self, source: int) -> int:
        """The number of the pass in which a source is followed."""
        return self._place[source] // _AT_ONCE

    def is_followed(self, value: int) -> bool:
        """Whether `value` came from any source in the pass of the one that was asked about last."""
        return value in self._behind

    def _follow(self, block: int) -> None:
        self._block = block
        start = block * _AT_ONCE
        followed = self._sources[start : start + _AT_ONCE]
        behind = {source: 1 << i for i, source in enumerate(followed)}
        for edge in self._edges:
            come = behind.get(edge.start)
            if come:
                held = behind.get(edge.end, 0)
                behind[edge.end] = come if not held else held | come
        self._behind = behind
