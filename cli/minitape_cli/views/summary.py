"""What a run did, in a few lines; and the trace itself, as the lines of its file."""

from collections.abc import Iterator
from pathlib import Path

from minitape.trace.events import Gradient, Header, Op, Result, TapeEnter
from minitape.trace.trace import Trace, encode


def jsonl(trace: Trace) -> bytes:
    """The trace as the lines of its file."""
    return "".join(f"{encode(event)}\n" for event in trace).encode()


def has_none(trace: Trace) -> bool:
    """Whether any gradient came back as None."""
    return any(result.numbers is None for result in trace.of(Result))


def summary(trace: Trace) -> Iterator[str]:
    """Tapes, ops and gradients in numbers, and a line for each gradient that is None."""
    tapes = {number for event in trace.of(TapeEnter) for number in event.tapes}
    ops = trace.of(Op)
    recorded = sum(bool(op.recorded) for op in ops)
    calls = trace.of(Gradient)
    yield (
        f"{counted(len(tapes), 'tape')}, {counted(len(ops), 'op')} ({recorded} recorded), "
        f"{counted(len(calls), 'gradient call')} {trace.ran_on.said}".rstrip()
    )
    by_number = {call.call: call for call in calls}
    scripts = {Path(header.script).name for header in trace.of(Header)}
    lost: dict[tuple[str, str], int] = {}
    for result in trace.of(Result):
        if result.numbers is None:
            call = by_number[result.call]
            where = f"line {call.at.line if call.at else 0}"
            if call.at and Path(call.at.file).name not in scripts:
                where += f" of {call.at.file}"
            key = where, call.sources[result.source].name
            lost[key] = lost.get(key, 0) + 1
    for (where, name), times in lost.items():
        often = f" ({times} times)" if times > 1 else ""
        yield f"{where}: the gradient for {name} is None{often}; minitape explain says why"


def counted(number: int, noun: str) -> str:
    """`1 op`, `2 ops`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
