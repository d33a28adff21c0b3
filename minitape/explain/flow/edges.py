"""One step of the flow graph (`graph.py` lists the kinds)."""

from msgspec import Struct


class FlowEdge(Struct, frozen=True, gc=False):
    """One value was computed from another; `event` is the number of the trace event."""

    start: int
    end: int
    kind: str
    event: int
