"""One step of the flow graph (`flow.py` lists the kinds)."""

from typing import NamedTuple


class Edge(NamedTuple):
    """One value came from another; `event` is the number of the trace event that made it so."""

    start: int
    end: int
    kind: str
    event: int
