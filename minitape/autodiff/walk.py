"""The walk back: from the target's seed to the cotangents of the sources, op by op, last op first.

Two passes over one list. Forward, to find what lies downstream of the sources: only there is anyone owed something. Backward,
to pay out: an op takes the cotangent of its output, asks one rule for each input that lies downstream, and adds what it gets
to that input's total. By the time an op is reached, all uses of its output lie behind, so its total is complete.

It is a loop, never a recursion: a million ops are a long list and nothing more.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from minitape.autodiff.accumulate import Totals, dense
from minitape.core import events, listeners
from minitape.core.batched import Batched
from minitape.core.declaration import Declaration, inputs_read, output_read
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.recorders import NO_ID, Record
from minitape.core.values import Outline, Value
from minitape.errors import NoGradientError


def downstream(records: Iterable[Record], watched: set[int], sources: Iterable[int]) -> set[int]:
    """The ids of the sources and of everything on the tape that was computed from them."""
    reached = {source for source in sources if source in watched}
    for record in records:
        if not reached.isdisjoint(record.inputs):
            reached.update(record.outputs)
    return reached & watched


def walk(
    records: list[Record],
    watched: set[int],
    seeds: Sequence[tuple[int, Value]],
    sources: Sequence[int],
    *,
    on_arrays: bool,
    consume: bool,
    told: bool = True,
) -> dict[int, Value]:
    """The cotangent of each source that is reached, by id.

    Args:
        records: What the tape remembers, in order. Emptied on the way if `consume`.
        watched: The ids that the tape watches.
        seeds: The cotangent of each target, by its id: where the walk starts.
        sources: The ids that are asked for.
        on_arrays: Nobody records the walk, so rules may run on plain arrays.
        consume: Let go of each record as the walk goes by.
        told: Tell listeners; a walk that nobody asked for by `gradient` is not told.

    Raises:
        LookupError: an op on the way has no gradient registered.
    """
    wanted = set(sources)
    reached = downstream(records, watched, wanted)
    listening = told and bool(listeners.active)
    if listening:
        rows = next((len(seed.stack) for _, seed in seeds if type(seed) is Batched), None)
        listeners.tell(events.WalkBegan(_plan(records, reached, seeds), rows))
    totals = Totals()
    for target, seed in seeds:
        totals.add(target, seed)
        if listening:
            listeners.tell(events.Seeded(target, seed))
    by_id = totals.by_id
    position = len(records)
    while position:
        position -= 1
        record = records.pop() if consume else records[position]
        outputs = record.outputs
        if record.primitive.outputs == 1:  # an op of many outputs may have only one
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
        sent: list[tuple[int, int, Value]] | None = [] if listening else None
        _pay_out(record, ybar, reached, totals, on_arrays, sent)
        if sent is not None and not reached.isdisjoint(record.inputs):
            _tell_step(record, ybar, reached, sent)
    return by_id


def _pay_out(
    record: Record,
    ybar: Value,
    reached: set[int],
    totals: Totals,
    on_arrays: bool,
    sent: list[tuple[int, int, Value]] | None,
) -> None:
    """Ask one rule for each input that lies downstream; note in `sent` what was sent, as (position, id, amount)."""
    rules = record.primitive.rules
    by_id = totals.by_id
    y, kept = (record.result, record.kept) if on_arrays else record.as_tensors()
    settings = record.settings
    # Most ops have one input or two and no settings: spelled out, Python calls their rule in half the time.
    plain = 0 if settings else len(kept)
    for position, identity in enumerate(record.inputs):
        if identity in reached:
            if not rules:
                raise without_rules(record.primitive)
            rule = rules[position]
            if rule is not None:
                if plain == 2:
                    amount = rule(ybar, y, kept[0], kept[1])
                elif plain == 1:
                    amount = rule(ybar, y, kept[0])
                else:
                    amount = rule(ybar, y, *kept, **settings)
                if amount is not None:
                    if identity in by_id:
                        totals.add(identity, amount)
                    else:
                        by_id[identity] = amount
                    if sent is not None:
                        sent.append((position, identity, amount))


def without_rules(op: Declaration) -> NoGradientError:
    """The error for an op that has no gradient registered."""
    return NoGradientError(
        f"gradient registry has no entry for: {op.name}. {op.reason}",
        fix="other ops for this step, or a target that does not depend on it",
        code="MT505",
    )


def _cotangents(record: Record, by_id: dict[int, Value], wanted: set[int]) -> Any:
    """The cotangents of an op with several outputs, None for those that nobody used; None if nobody used any."""
    arrived = []
    for output in record.outputs:
        ybar = by_id.get(output)
        if ybar is not None and output not in wanted:
            del by_id[output]
        arrived.append(None if ybar is None else dense(ybar))
    return None if all(ybar is None for ybar in arrived) else tuple(arrived)


# --- for those who watch ---


def _plan(
    records: list[Record], reached: set[int], seeds: Sequence[tuple[int, Value]]
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The ops that the walk will visit, last first: their outputs, and the inputs that will be sent something."""
    alive = {target for target, _ in seeds}
    plan = []
    for record in reversed(records):
        if alive.isdisjoint(record.outputs):
            continue
        inputs = tuple(
            identity
            for position, identity in enumerate(record.inputs)
            if identity in reached
            and record.primitive.rules
            and record.primitive.rules[position] is not None
        )
        if inputs:
            alive.update(inputs)
            plan.append((record.outputs, inputs))
    return tuple(plan)


def _tell_step(
    record: Record, ybar: Value, reached: set[int], sent: list[tuple[int, int, Value]]
) -> None:
    reads = record.primitive.reads
    ids = [
        NO_ID if type(each) is Outline else identity
        for each, identity in zip(record.kept, record.inputs, strict=True)
    ]
    told = tuple(
        [
            (
                identity,
                amount,
                tuple([ids[i] for i in inputs_read(reads[position], len(ids)) if ids[i] != NO_ID]),
                output_read(reads[position]),
            )
            for position, identity, amount in sent
        ]
    )
    paid = {position for position, _, _ in sent}
    skipped = tuple(
        [
            (identity, _why_skipped(record, position, reached))
            for position, identity in enumerate(record.inputs)
            if identity and position not in paid
        ]
    )
    several = ybar if isinstance(ybar, tuple) else (ybar,)
    output, arrived = next(
        (output, each)
        for output, each in zip(record.outputs, several, strict=True)
        if each is not None
    )
    listeners.tell(events.SteppedBack(record.outputs, output, arrived, told, skipped))


def _why_skipped(record: Record, position: int, reached: set[int]) -> str:
    if record.inputs[position] not in reached:
        return "not_needed"
    return "no_gradient"
