"""Numbers that run out of their dtype: a product of many small factors, or a gradient in float16."""

from collections.abc import Iterator, Sequence

from minitape.explain.flow.calls import Call
from minitape.explain.flow.graph import Flow
from minitape.explain.flow.magnitudes import largest
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Noted
from minitape.explain.notes.spine import Passed, spine
from minitape.trace import events

# A product below this is a few factors away from the smallest number that each dtype tells in full.
_NEAR_THE_END = {"float16": 1e-4, "bfloat16": 1e-30, "float32": 1e-30, "float64": 1e-290}
_LEAST_OF_HALF = 2.0**-14  # the smallest float16 that has all its digits
_MANY = 4


def noticed(flow: Flow, rounds: Sequence[Call]) -> Iterator[Noted]:
    """Only of the first round: what has come to rest is small by right."""
    call = rounds[0]
    passed = flow.once(spine, call)
    found = _product(flow, call, passed) or _half(flow, call)
    if found is not None:
        yield found


def _product(flow: Flow, call: Call, passed: Sequence[Passed]) -> Noted | None:
    """A target that is all but 0, because of an op that multiplies what is not."""
    if not passed or not _is_at_the_end(flow, passed[0].op.outputs[0].id):
        return None
    for each in reversed(passed):
        op = each.op
        small = _is_at_the_end(flow, op.outputs[0].id)
        if small and op.name in ("Mul", "Prod"):
            alike = [p.op for p in passed if (p.op.name, p.op.stack) == (op.name, op.stack)]
            count = (flow.numbers[op.inputs[0].value].size) if op.name == "Prod" else len(alike)
            given = [flow.numbers.get(value.value) for value in op.inputs]
            if count < _MANY or not all(map(largest, given)):
                return None
            size = largest(flow.numbers[passed[0].op.outputs[0].id])
            facts = {"is_product": True, "size": size, "count": count, "instead": _instead(op)}
            return _case(flow, call, op, flow.dtype(op.outputs[0].id), facts)
    return None


def _instead(op: events.Op) -> str:
    if op.name == "Prod":
        return "tf.reduce_sum(tf.math.log(x)) for tf.reduce_prod(x)"
    return "begin at 0.0 and add tf.math.log(x) where it multiplies by x"


def _is_at_the_end(flow: Flow, value: int) -> bool:
    numbers = flow.numbers.get(value)
    if numbers is None or not numbers.size or numbers.nan or numbers.inf:
        return False
    return largest(numbers) < _NEAR_THE_END.get(numbers.dtype, 0.0)


def _half(flow: Flow, call: Call) -> Noted | None:
    """All that comes back in float16 is smaller than that dtype tells in full: the step of the walk that made it so."""
    given = [result.numbers for result in call.results if result.numbers is not None]
    half = [numbers for numbers in given if numbers.dtype == "float16"]
    if not half or any(largest(numbers) >= _LEAST_OF_HALF for numbers in half):
        return None
    for step in call.steps:
        for share in step.back.sent:
            left = largest(share.numbers)
            if share.numbers.dtype == "float16" and left < _LEAST_OF_HALF <= largest(
                step.back.arrived
            ):
                return _case(flow, call, step.op, "float16", {"is_product": False, "size": left})
    return None


def _case(flow: Flow, call: Call, op: events.Op, dtype: str, facts: dict[str, object]) -> Noted:
    limit = _LEAST_OF_HALF if dtype == "float16" else _NEAR_THE_END[dtype]
    return Noted(
        kinds.underflow,
        call,
        op.i,
        visits=(call.event.visit,),
        facts=facts | {"dtype": dtype, "limit": limit},
    )
