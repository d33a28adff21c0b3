"""What a run did, in a few lines; and the trace itself, as the lines of its file."""

import io
from collections.abc import Iterator

from minitape.debug.trace import Trace, write


def jsonl(trace: Trace) -> bytes:
    """The trace as the lines of its file."""
    stream = io.StringIO()
    write(trace, stream)
    return stream.getvalue().encode()


def has_none(trace: Trace) -> bool:
    """Whether any gradient came back as None."""
    return any(event["T"] is None for event in trace.of("result"))


def summary(trace: Trace) -> Iterator[str]:
    """Tapes, ops and gradients in numbers, and a line for each gradient that is None."""
    tapes = {number for event in trace.of("tape_enter") for number in event["tape"]}
    ops = trace.of("op")
    recorded = sum(bool(op["recorded"]) for op in ops)
    calls = trace.of("gradient")
    yield (
        f"{counted(len(tapes), 'tape')}, {counted(len(ops), 'op')} ({recorded} recorded), "
        f"{counted(len(calls), 'gradient call')}"
    )
    by_number = {call["call"]: call for call in calls}
    lost: dict[tuple[int, str], int] = {}
    for result in trace.of("result"):
        if result["T"] is None:
            call = by_number[result["call"]]
            line = call["at"][1] if call["at"] else 0
            key = line, call["sources"][result["source"]]["name"]
            lost[key] = lost.get(key, 0) + 1
    for (line, name), times in lost.items():
        often = f" ({times} times)" if times > 1 else ""
        yield f"line {line}: the gradient for {name} is None{often}; minitape explain says why"


def counted(number: int, noun: str) -> str:
    """`1 op`, `2 ops`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
