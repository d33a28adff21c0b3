"""Numbers close to the smallest ones of their dtype: a product of many small factors, or a gradient in float16."""

from collections.abc import Iterator, Sequence

from minitape.explain.flow.calls import GradientCall
from minitape.explain.flow.graph import FlowGraph
from minitape.explain.flow.magnitudes import largest
from minitape.explain.notes import kinds
from minitape.explain.notes.kind import Facts, NoteCase
from minitape.explain.notes.longest_path import Passed, spine
from minitape.trace import events

# A product below this is a few factors away from the smallest number that the dtype represents with full precision.
_NEAR_THE_END = {"float16": 1e-4, "bfloat16": 1e-30, "float32": 1e-30, "float64": 1e-290}
_LEAST_OF_HALF = 2.0**-14  # the smallest float16 with full precision
_MANY = 4


def noticed(flow: FlowGraph, iterations: Sequence[GradientCall]) -> Iterator[NoteCase[Facts]]:
    """Yield the notes about the first iteration only, because small numbers are right after convergence."""
    call = iterations[0]
    passed = flow.once(spine, call)
    found = _product(flow, call, passed) or _half(flow, call)
    if found is not None:
        yield found


def _product(
    flow: FlowGraph, call: GradientCall, passed: Sequence[Passed]
) -> NoteCase[Facts] | None:
    """Return a target that is almost 0, because of an op that multiplies numbers that are not."""
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
            dtype = flow.dtype(op.outputs[0].id)
            product = kinds.UnderflowOfProduct(
                size=largest(flow.numbers[passed[0].op.outputs[0].id]),
                count=count,
                is_one_op=op.name == "Prod",
                dtype=dtype,
                limit=_limit(dtype),
            )
            return _case(call, op, product)
    return None


def _is_at_the_end(flow: FlowGraph, value: int) -> bool:
    numbers = flow.numbers.get(value)
    if numbers is None or not numbers.size or numbers.nan or numbers.inf:
        return False
    return largest(numbers) < _NEAR_THE_END.get(numbers.dtype, 0.0)


def _half(flow: FlowGraph, call: GradientCall) -> NoteCase[Facts] | None:
    """Return the step of the backward pass that made all float16 gradients so small that they lose precision."""
    given = [result.numbers for result in call.results if result.numbers is not None]
    half = [numbers for numbers in given if numbers.dtype == "float16"]
    if not half or any(largest(numbers) >= _LEAST_OF_HALF for numbers in half):
        return None
    for step in call.steps:
        for contribution in step.back.sent:
            left = largest(contribution.numbers)
            if contribution.numbers.dtype == "float16" and left < _LEAST_OF_HALF <= largest(
                step.back.arrived
            ):
                return _case(
                    call,
                    step.op,
                    kinds.Underflow(size=left, dtype="float16", limit=_limit("float16")),
                )
    return None


def _limit(dtype: str) -> float:
    return _LEAST_OF_HALF if dtype == "float16" else _NEAR_THE_END[dtype]


def _case(call: GradientCall, op: events.OpEvent, facts: kinds.Underflow) -> NoteCase[Facts]:
    return NoteCase(kinds.underflow, call, op.i, facts, visits=(call.event.visit,))
