"""Which values were computed from which source: for each source in each iteration of a training loop, in one pass.

A search from one target reads the whole history of its variables, and for a training loop it would do so in each iteration. So
this module reads the graph once, in the order in which it grew, and stores for each value one bit for each source from which it
was computed.
"""

from collections.abc import Iterable, Sequence

from minitape.explain.flow.edges import FlowEdge

# The number of sources that one pass follows. Each value needs at most this many bits.
_AT_ONCE = 1024


class Reachability:
    """The values computed from each of some sources, including these.

    Args:
        sources: The sources, in the order in which they will be queried.
        edges: The graph in the order in which it grew: an edge to a value comes before the edges from it.
    """

    def __init__(self, sources: Iterable[int], edges: Sequence[FlowEdge]) -> None:
        self._sources = list(dict.fromkeys(sources))
        self._bit = {source: i for i, source in enumerate(self._sources)}
        self._edges = edges
        self._block = -1
        self._behind: dict[int, int] = {}

    def __contains__(self, source: int) -> bool:
        return source in self._bit

    def leads(self, source: int, value: int) -> bool:
        """Whether `value` is `source`, or was computed from it."""
        block = self.block(source)
        if block != self._block:
            self._follow(block)
        return bool(self._behind.get(value, 0) >> self._bit[source] % _AT_ONCE & 1)

    def block(self, source: int) -> int:
        """Return the number of the pass that follows a source."""
        return self._bit[source] // _AT_ONCE

    def is_followed(self, value: int) -> bool:
        """Whether `value` was computed from any source of the last pass."""
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
