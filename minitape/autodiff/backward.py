"""The backward pass: from the seeds of the targets to the cotangents of the sources, op by op, last op first.

It goes over the list of records twice. The forward pass finds the values that depend on the sources, because only these values
need cotangents. The backward pass computes the cotangents. For each op, the vjp rule of each input that needs a cotangent turns
the cotangent of the output into a contribution, which is added to the cotangent of that input. When the pass arrives at an op, it
has handled all uses of the op's output, so the cotangent of the output is complete.

The backward pass is a loop and not a recursion, so the length of a tape is not limited by Python's stack.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from minitape.autodiff.accumulate import Accumulator, dense
from minitape.core import events, listeners
from minitape.core.batched import Batched
from minitape.core.declaration import Declaration, inputs_read, output_read
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.recorders import NO_ID, Record
from minitape.core.values import ShapeDtype, Value
from minitape.errors import NoGradientError


def downstream(records: Iterable[Record], watched: set[int], sources: set[int]) -> set[int]:
    """Return the ids of the sources and of all values on the tape that were computed from them.

    Args:
        records: The records of the tape, in order.
        watched: The ids that the tape watches.
        sources: The ids of the sources.
    """
    reached = sources & watched
    for record in records:
        if not reached.isdisjoint(record.inputs):
            reached.update(record.outputs)
    return reached & watched


def run_backward(
    records: list[Record],
    watched: set[int],
    seeds: Sequence[tuple[int, Value]],
    sources: Sequence[int],
    *,
    on_arrays: bool,
    consume: bool,
    reported: bool = True,
) -> dict[int, Value]:
    """Run the backward pass.

    Args:
        records: The records of the tape, in order. They are removed one by one if `consume` is True.
        watched: The ids that the tape watches.
        seeds: The cotangent of each target, by its id.
        sources: The ids of the requested sources.
        on_arrays: Whether no tape records the backward pass, so that rules may run on plain arrays.
        consume: Whether to release each record after its use.
        reported: Whether to send events; internal backward passes send none.

    Returns:
        The cotangent of each source that has one, by id.

    Raises:
        LookupError: an op on the path has no gradient registered.
    """
    wanted = set(sources)
    reached = downstream(records, watched, wanted)
    tracing = reported and bool(listeners.active)
    if tracing:
        rows = next((len(seed.stack) for _, seed in seeds if type(seed) is Batched), None)
        listeners.emit(events.BackwardBegan(_plan(records, reached, seeds), rows))
    totals = Accumulator()
    for target, seed in seeds:
        totals.add(target, seed)
        if tracing:
            listeners.emit(events.Seeded(target, seed))
    by_id = totals.by_id
    position = len(records)
    while position:
        position -= 1
        record = records.pop() if consume else records[position]
        outputs = record.outputs
        # an op with a variable number of outputs can have a single one
        if record.primitive.outputs == 1:
            ybar = by_id.get(outputs[0])
            if ybar is None:
                continue
            if outputs[0] not in wanted:
                del by_id[outputs[0]]
            if type(ybar) is IndexedSlices:
                ybar = dense(ybar)
        else:
            ybar = _cotangents(record, by_id, wanted)
            if ybar is None:
                continue
        sent: list[tuple[int, int, Value]] | None = [] if tracing else None
        _apply_vjps(record, ybar, reached, totals, on_arrays, sent)
        if sent is not None and not reached.isdisjoint(record.inputs):
            _emit_step(record, ybar, reached, sent)
    return by_id


def _apply_vjps(
    record: Record,
    ybar: Value,
    reached: set[int],
    totals: Accumulator,
    on_arrays: bool,
    sent: list[tuple[int, int, Value]] | None,
) -> None:
    """Call the rule of each input that needs a cotangent; append (position, id, contribution) to `sent`."""
    rules = record.primitive.rules
    by_id = totals.by_id
    y, saved = (record.result, record.saved) if on_arrays else record.as_tensors()
    settings = record.settings
    # Most ops have one or two inputs and no settings: calling their rules with explicit arguments takes Python half the time.
    plain = 0 if settings else len(saved)
    for position, identity in enumerate(record.inputs):
        if identity in reached:
            if not rules:
                raise without_rules(record.primitive)
            rule = rules[position]
            if rule is not None:
                if plain == 2:
                    amount = rule(ybar, y, saved[0], saved[1])
                elif plain == 1:
                    amount = rule(ybar, y, saved[0])
                else:
                    amount = rule(ybar, y, *saved, **settings)
                if amount is not None:
                    if identity in by_id:
                        totals.add(identity, amount)
                    else:
                        by_id[identity] = amount
                    if sent is not None:
                        sent.append((position, identity, amount))


def without_rules(op: Declaration) -> NoGradientError:
    """Return the error for an op that has no gradient registered."""
    return NoGradientError(
        f"gradient registry has no entry for: {op.name}. {op.reason}",
        fix="use other ops for this step, or a target that does not depend on this step",
        code="MT505",
    )


def _cotangents(record: Record, by_id: dict[int, Value], wanted: set[int]) -> Any:
    """Return the cotangents of an op with several outputs, with None for unused ones; None if all are unused."""
    arrived = []
    for output in record.outputs:
        ybar = by_id.get(output)
        if ybar is not None and output not in wanted:
            del by_id[output]
        arrived.append(None if ybar is None else dense(ybar))
    return None if all(ybar is None for ybar in arrived) else tuple(arrived)


# --- events for listeners ---


def _plan(
    records: list[Record], reached: set[int], seeds: Sequence[tuple[int, Value]]
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return the ops that the backward pass will visit, last first: their outputs, and the inputs that will get a
    contribution.
    """
    alive = {target for target, _ in seeds}
    plan = []
    for record in reversed(records):
        if alive.isdisjoint(record.outputs):
            continue
        rules = record.primitive.rules
        inputs = tuple(
            [
                identity
                for position, identity in enumerate(record.inputs)
                if identity in reached and rules and rules[position] is not None
            ]
        )
        if inputs:
            alive.update(inputs)
            plan.append((record.outputs, inputs))
    return tuple(plan)


def _emit_step(
    record: Record, ybar: Value, reached: set[int], sent: list[tuple[int, int, Value]]
) -> None:
    inputs, saved = record.inputs, record.saved
    reported = []
    paid = set()
    for position, identity, amount in sent:
        paid.add(position)
        mask = record.primitive.residual_masks[position]
        read = [
            inputs[i]
            for i in inputs_read(mask, len(inputs))
            if inputs[i] != NO_ID and type(saved[i]) is not ShapeDtype
        ]
        reported.append((identity, amount, tuple(read), output_read(mask)))
    skipped = [
        (identity, _why_skipped(record, position, reached))
        for position, identity in enumerate(inputs)
        if identity and position not in paid
    ]
    outputs = record.outputs
    first, arrived = outputs[0], ybar
    if isinstance(ybar, tuple):  # an op with several outputs, some of which may be unused
        pairs = zip(outputs, ybar, strict=True)
        first, arrived = next(pair for pair in pairs if pair[1] is not None)
    listeners.emit(events.BackwardStepped(outputs, first, arrived, tuple(reported), tuple(skipped)))


def _why_skipped(record: Record, position: int, reached: set[int]) -> str:
    if record.inputs[position] not in reached:
        return "not_needed"
    return "no_gradient"
