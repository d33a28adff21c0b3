"""Traces to draw, and what an explainer would say about one of them.

The traces were written by `minitape trace` from the scripts beside them, tests/golden/draw/*.py.
"""

from pathlib import Path

from minitape.debug.report import (
    CallReport,
    Confidence,
    Finding,
    Hop,
    Outcome,
    Place,
    Report,
    SourceReport,
)
from minitape.debug.trace import Event, Trace, read

DRAW = Path(__file__).parent / "golden" / "draw"


def trace_of(name: str) -> Trace:
    return read(DRAW / f"{name}.jsonl")


def report_of(
    trace: Trace, slug: str = "numpy-roundtrip", outcome: Outcome = Outcome.NONE
) -> Report:
    """What an explainer says about detour.py: `np.sin` in line 8 took `a` out of the tape."""
    call = trace.of("gradient")[0]
    square, product = trace.of("op")
    back = trace.of("reentry")[0]
    a, b, loss = square["outputs"][0]["id"], back["t"], product["outputs"][0]["id"]
    finding = Finding(
        code="MT201",
        slug=slug,
        confidence=Confidence.CERTAIN,
        place=Place("detour.py", 8),
        lines=(8, 9),
        label="here the value leaves the tape for NumPy",
        message="np.sin(a) in line 8 is NumPy's: a tape follows tensors only.",
        fix="tf.sin(a)",
        events=(back["i"],),
        path=(Hop(a, square["i"], None), Hop(b, back["i"], slug), Hop(loss, product["i"], None)),
    )
    source = call["sources"][0]
    said = SourceReport(0, source["name"], source["t"], outcome, (finding,))
    place = Place("detour.py", 11)
    text = "tape.gradient(loss, x)"
    return Report(
        "detour.py", (CallReport(call["i"], place, 1, "gradient", text, "loss", (said,)),)
    )


def chain(length: int) -> Trace:
    """A trace of `x → Sin → Sin → …`, each op on a line of its own, and the gradient at its end."""
    events: list[Event] = [{"k": "header", "script": "chain.py"}]
    number = {"shape": [], "dtype": "float32", "n": 1, "data": 1.0, "l2": 1.0, "nan": 0, "inf": 0}
    events.append(
        {"k": "variable", "var": 1, "T": number | {"id": 1, "name": "x"}, "trainable": True}
    )
    events.append({"k": "tape_enter", "tape": 1})
    events.append({"k": "read", "var": 1, "out": 2, "watched": [1]})
    for op in range(1, length + 1):
        at = ["chain.py", op, 0, op, 1]
        events.append({"k": "site", "site": op, "at": at, "expr": f"sin(h{op})", "loop": None})
        events.append(
            {
                "k": "op",
                "op": op,
                "name": "Sin",
                "inputs": [{"t": op + 1, "text": None, "watched": [1]}],
                "outputs": [number | {"id": op + 2, "name": None}],
                "recorded": [1],
                "at": at,
                "stack": [op],
            }
        )
    target = length + 2
    call = {"call": 1, "tape": [1], "target": [target], "sources": [{"t": 1, "name": "x"}]}
    events.append({"k": "gradient", "text": "tape.gradient(y, x)", **call})
    events.append({"k": "seed", "call": 1, "t": target, "T": number | {"id": target}})
    for op in range(length, 0, -1):
        sent = {"t": op + 1, "T": number | {"id": op + 1}}
        events.append(
            {"k": "back", "call": 1, "op": op, "grad_in": number | {"id": op + 2}, "out": [sent]}
        )
    events.append({"k": "result", "call": 1, "source": 0, "t": 1, "T": number | {"id": target + 1}})
    return Trace([{"i": i, **event} for i, event in enumerate(events)])
