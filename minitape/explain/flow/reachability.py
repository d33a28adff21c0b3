"""Which values were computed from which sources, for all sources of all iterations in one pass.

A search from one target reads the whole history of its variables, and a training loop would need one in each iteration. So one
pass reads the graph in the order in which it grew, and gives each value the set of its sources, with one bit for each source.
"""

from collections.abc import Iterable, Sequence

from minitape.explain.flow.edges import Edge

# The number of sources in one pass, which is the number of bits of each value.
_AT_ONCE = 1024


class Reachability:
    """The values computed from each of some sources, themselves included.

    Args:
        sources: The sources that queries may name, in the order of the queries.
        edges: The graph in the order in which it grew: the edges to a value come before the edges from it.
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
        """Whether `value` is `source`, or was computed from it."""
        block = self.block(source)
        if block != self._block:
            self._follow(block)
        return bool(self._behind.get(value, 0) >> self._place[source] % _AT_ONCE & 1)

    def block(self, source: int) -> int:
        """The number of the pass with this source."""
        return self._place[source] // _AT_ONCE

    def is_followed(self, value: int) -> bool:
        """Whether `value` was computed from any source in the pass of the last query."""
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
