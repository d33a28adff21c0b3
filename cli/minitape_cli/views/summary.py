"""Writes a summary of a run in a few lines, and the trace itself as the lines of its file."""

from collections.abc import Iterator
from pathlib import Path

from minitape.trace.events import GradientEvent, HeaderEvent, OpEvent, ResultEvent, TapeEnterEvent
from minitape.trace.trace import Trace, encode
from minitape_cli import messages
from minitape_cli.messages import counted


def jsonl(trace: Trace) -> bytes:
    """Return the trace as the lines of its file."""
    return "".join(f"{encode(event)}\n" for event in trace).encode()


def has_none(trace: Trace) -> bool:
    """Whether any gradient is None."""
    return any(result.numbers is None for result in trace.of(ResultEvent))


def summary(trace: Trace) -> Iterator[str]:
    """Yield the numbers of tapes, ops and gradients, then a line for each gradient that is None."""
    tapes = {number for event in trace.of(TapeEnterEvent) for number in event.tapes}
    ops = trace.of(OpEvent)
    recorded = sum(bool(op.recorded) for op in ops)
    calls = trace.of(GradientEvent)
    yield (
        f"{counted(len(tapes), 'tape')}, {counted(len(ops), 'op')} ({recorded} recorded), "
        f"{counted(len(calls), 'gradient call')} {trace.ran_on.heading}".rstrip()
    )
    by_number = {call.call: call for call in calls}
    scripts = {Path(header.script).name for header in trace.of(HeaderEvent)}
    lost: dict[tuple[str, str], int] = {}
    for result in trace.of(ResultEvent):
        if result.numbers is None:
            call = by_number[result.call]
            where = f"line {call.at.line if call.at else 0}"
            if call.at and Path(call.at.file).name not in scripts:
                where += f" of {call.at.file}"
            key = where, call.sources[result.source].name
            lost[key] = lost.get(key, 0) + 1
    for (where, name), times in lost.items():
        message = messages.GRADIENT_IS_NONE if times == 1 else messages.GRADIENT_IS_NONE_OFTEN
        yield message.format(where=where, name=name, times=times)
