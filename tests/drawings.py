"""Traces to draw, and the explanation of one of them.

`minitape trace` wrote the traces from the scripts in the same folder, tests/golden/draw/*.py.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from minitape.explain.report import (
    CallReport,
    Confidence,
    Finding,
    Hop,
    Location,
    Outcome,
    Report,
    SourceReport,
)
from minitape.trace import events
from minitape.trace.events import Event, Numbers
from minitape.trace.reading import read
from minitape.trace.trace import Trace

DRAW = Path(__file__).parent / "golden" / "draw"


def trace_of(name: str) -> Trace:
    return read(DRAW / f"{name}.jsonl")


def report_of(
    trace: Trace, slug: str = "numpy-roundtrip", outcome: Outcome = Outcome.NONE
) -> Report:
    """Return the explanation of detour.py: `np.sin` on line 8 converted `a` to a NumPy array."""
    call = trace.of(events.GradientEvent)[0]
    square, product = trace.of(events.OpEvent)
    back = trace.of(events.ReentryEvent)[0]
    a, b, loss = square.outputs[0].id, back.value, product.outputs[0].id
    finding = Finding(
        code="MT201",
        slug=slug,
        confidence=Confidence.CERTAIN,
        location=Location("detour.py", 8),
        lines=(8, 9),
        label="here the value leaves the tape for NumPy",
        message="np.sin(a) in line 8 is NumPy's: a tape follows tensors only.",
        fix="tf.sin(a)",
        events=(back.i,),
        path=(Hop(a, square.i, None), Hop(b, back.i, slug), Hop(loss, product.i, None)),
    )
    source = call.sources[0]
    assert source.value is not None
    said = SourceReport(0, source.name, source.value, outcome, (finding,))
    place = Location("detour.py", 11)
    text = "tape.gradient(loss, x)"
    return Report("detour.py", (CallReport(call.i, place, 1, "gradient", text, "loss", (said,)),))


def numbered(some: Iterable[Event]) -> Trace:
    """Return a trace of these events."""
    return Trace([msgspec.structs.replace(event, i=i) for i, event in enumerate(some)])


def chain(length: int) -> Trace:
    """Return a trace of `x → Sin → Sin → …`, with each op on its own line, and of the gradient at the end."""
    trace = Trace()

    def say(kind: type[Event], **fields: Any) -> None:
        if issubclass(kind, events.Placed):
            fields = {"at": None, "stack": [], **fields}
        trace.events.append(kind(i=len(trace), **fields))

    say(
        events.HeaderEvent,
        format="minitape-trace",
        version=1,
        minitape="0",
        python="3",
        numpy="2",
        script="chain.py",
        argv=[],
        seed=None,
    )
    x, first, target = 1, 2, length + 2
    say(
        events.VariableEvent,
        variable=x,
        name="x:0",
        numbers=_one(x, "x"),
        trainable=True,
        origin=None,
    )
    say(
        events.TapeEnterEvent,
        tapes=[1],
        persistent=False,
        watch_accessed_variables=True,
        depth=1,
        name=None,
    )
    say(events.ReadEvent, variable=x, value=first, watched=[1])
    for op in range(1, length + 1):
        at = events.SourceRange("chain.py", op, 0, op, 1)
        code = f"sin(h{op})"
        say(
            events.SiteEvent,
            number=op,
            at=at,
            function="<module>",
            loop=None,
            code=code,
            expression=code,
            target=None,
        )
        say(
            events.OpEvent,
            number=op,
            name="Sin",
            inputs=[events.Input(op + 1, None, [1])],
            attrs={},
            outputs=[_one(op + 2)],
            tapes=[1],
            recorded=[1],
            why_not={},
            saved=[],
            target_name=None,
            at=at,
            stack=[op],
        )
    say(
        events.GradientEvent,
        call=1,
        inside=None,
        api="gradient",
        tapes=[1],
        targets=[target],
        target_name="y",
        sources=[events.GradientSource(x, "x")],
        left=[],
        output_gradients=None,
        unconnected="none",
        visit=1,
        text="tape.gradient(y, x)",
    )
    say(events.SeedEvent, call=1, value=target, numbers=_one(target))
    for step, op in enumerate(range(length, 0, -1), start=1):
        given = op + 1
        sent = events.Contribution(given, _one(given), _one(given), use=1, uses=1, reads=[])
        say(
            events.BackEvent,
            call=1,
            op=op,
            step=step,
            steps=length,
            arrived=_one(op + 2),
            sent=[sent],
            skipped=[],
        )
    say(events.ResultEvent, call=1, source=0, value=x, numbers=_one(target + 1), recorded=[])
    return trace


def _one(id: int, name: str | None = None) -> Numbers:
    return Numbers(
        id=id,
        name=name,
        shape=[],
        dtype="float32",
        size=1,
        min=1.0,
        max=1.0,
        mean=1.0,
        std=0.0,
        l2=1.0,
        zeros=0,
        nan=0,
        inf=0,
        data=1.0,
    )
