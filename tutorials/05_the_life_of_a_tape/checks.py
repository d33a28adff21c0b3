"""The checks of lesson 5."""

import math

import minitape as tf
from minitape.course.failing import Failed
from minitape.trace import events


def close(ours, right):
    return abs(ours - right) <= 1e-3 + 2e-3 * abs(right)


def told(tensor):
    return str(tensor.numpy().round(4))


def labels_are_right(student, draw):
    """`dy_dx` and `dz_dx` are correct, for a number and for a vector"""
    for shape in ([], [3]):
        x = draw.tensor(shape, 0.5, 2.5)
        answer = student.both(x)
        if not isinstance(answer, dict) or set(answer) != {"dy_dx", "dz_dx"}:
            raise Failed(
                "`both` should return a dictionary with dy_dx and dz_dx.",
                fix='return `{"dy_dx": ..., "dz_dx": ...}`',
            )
        for name, right in {"dy_dx": 2 * x, "dz_dx": 4 * x**3}.items():
            ours = answer[name]
            if ours is None or tuple(ours.shape) != tuple(shape):
                raise Failed(f"For x of shape {tuple(shape)}, `{name}` is {ours}.", fix="watch `x`; a gradient has the shape of its source")
            if not tf.reduce_all(tf.abs(ours - right) <= 1e-3 + 2e-3 * tf.abs(right)):
                raise Failed(
                    f"At x = {told(x)}, `{name}` is {told(right)}, but yours is {told(ours)}.",
                    fix=f"find the target with that name: `{name}` is the gradient of `{name[1]}` with respect to `{name[-1]}`",
                )


# --- two answers, two ways ---


def both_ways_are_right(student, draw):
    """both functions return the two derivatives, at random points"""
    for _ in range(2):
        at = draw.uniform([], -3.0, 3.0)
        right = [6.0 * (3.0 * at - 9.0), 2.0 * at]
        for name in ("with_one_tape", "with_two_tapes"):
            answer = getattr(student, name)(tf.Variable(at))
            if len(answer) != 2 or any(each is None for each in answer):
                raise Failed(f"`{name}` should return two derivatives, but it returned `{answer}`.", fix="return the list [derivative of the error, derivative of the penalty]")
            for slope, wanted, what in zip(answer, right, ("error", "penalty")):
                if not close(float(slope), wanted):
                    raise Failed(
                        f"At w = {at:.4g}, the derivative of the {what} is {wanted:.5g}, but `{name}` returns {float(slope):.5g}.",
                        fix=f"ask for the gradient of `{what}` with respect to `w`, and return the answers for the error and the penalty in this order",
                    )


def tapes_of(function):
    """Return the tapes that a function opens, and the ops that they record."""
    with tf.debug.record() as recording:
        function(tf.Variable(2.0))
    trace = recording.trace
    opened = {number: each.persistent for each in trace.of(events.TapeEnterEvent) for number in each.tapes}
    return opened, [op for op in trace.of(events.OpEvent) if op.recorded]


def one_tape_is_one_and_stays(student, draw):
    """`with_one_tape` opens one tape, and it is persistent"""
    opened, _ = tapes_of(student.with_one_tape)
    if len(opened) != 1:
        raise Failed(f"`with_one_tape` should open one tape, but it opened {len(opened)}.", fix="open one tape around both computations, and ask it twice")
    if not all(opened.values()):
        raise Failed("The tape of `with_one_tape` is not persistent.", fix="make the tape persistent; see `minitape explain MT501`")


def two_tapes_are_plain_and_small(student, draw):
    """`with_two_tapes` opens two plain tapes, and only one of them records each op"""
    opened, ops = tapes_of(student.with_two_tapes)
    if len(opened) != 2:
        raise Failed(f"`with_two_tapes` should open two tapes, but it opened {len(opened)}.", fix="open one tape for the error and one for the penalty")
    if any(opened.values()):
        raise Failed("A tape of `with_two_tapes` is persistent, but each tape is asked only once.", fix="remove `persistent=True` in `with_two_tapes`")
    for op in ops:
        if len(op.recorded) > 1:
            raise Failed(
                f"Both tapes recorded the `{op.name}` on line {op.at.line}, because one block is inside the other.",
                fix="close the first block before you open the second block",
            )
    counts = sorted(sum(number in op.recorded for op in ops) for number in opened)
    if counts != [1, 3]:
        raise Failed(
            f"The two tapes hold {counts[0]} and {counts[1]} ops. The penalty has 1 op, and the error has 3 ops. Each "
            "tape needs only its own ops.",
            fix="compute in each block only what its own answer needs",
        )


# --- less to keep ---


def kept_by_tapes(trace):
    """Return how many numbers each tape keeps, counting each value once."""
    sizes = {}
    kept = {}
    for event in trace.events:
        if isinstance(event, events.ConstantEvent):
            sizes[event.numbers.id] = event.numbers.size
        elif isinstance(event, events.VariableEvent):
            sizes[event.variable] = event.numbers.size
        elif isinstance(event, events.ReadEvent):
            sizes[event.value] = sizes[event.variable]
        elif isinstance(event, events.OpEvent):
            sizes.update((out.id, out.size) for out in event.outputs)
            for tape in event.recorded:
                kept.setdefault(tape, set()).update(event.saved)
    return {tape: sum(sizes[value] for value in values) for tape, values in kept.items()}


def drawn_batches(draw, elements):
    return [draw.tensor([elements]) for _ in range(draw.whole(3, 6))]


def slope_is_right(student, draw):
    """the derivative is that of the sum over all batches"""
    at, batches = draw.uniform([], 0.5, 2.0), drawn_batches(draw, 20)
    right = sum(2 * at * float(tf.reduce_sum(student.polished(batch) ** 2)) for batch in batches)
    ours = student.slope(tf.Variable(at), batches)
    if ours is None or not close(float(ours), right):
        raise Failed(
            f"With {len(batches)} random batches at w = {at:.4g}, the derivative is {right:.5g}, but yours is "
            f"{None if ours is None else round(float(ours), 4)}.",
            fix="add up the answers of the tapes, because the gradient of a sum is the sum of the gradients",
        )


def keeps_little(student, draw):
    """no tape keeps more than 2 numbers for each element of a batch"""
    elements = draw.whole(40, 90)
    batches = drawn_batches(draw, elements)
    w = tf.Variable(1.5)
    with tf.debug.record() as recording:
        student.slope(w, batches)
    kept = kept_by_tapes(recording.trace)
    if not kept:
        raise Failed("No tape recorded anything.", fix="ask a tape for the gradient of `loss_of(w, ...)`")
    most = max(kept.values())
    if most > 2 * elements + 10:
        raise Failed(
            f"With {len(batches)} batches of {elements} elements, the largest tape keeps {most} numbers. This is "
            f"{most / elements:.1f} for each element of a batch, but 2 are enough.",
            fix="use one tape for each batch"
            if len(kept) < len(batches)
            else "polish the batch before its block, and do not call `watch`, because a tape watches variables automatically",
        )


# --- the list writes itself ---


def drawn_ops(draw, length):
    """Return steps (op, i, j): each computes one more value from two earlier ones, and uses the newest."""
    return [(("add", "mul")[draw.whole(0, 1)], count - 1, draw.whole(0, count - 1)) for count in range(2, 2 + length)]


def computed(student, made, steps):
    """Return the student's objects of class Value after the steps; `made` grows."""
    for op, i, j in steps:
        made.append(made[i] + made[j] if op == "add" else made[i] * made[j])
    return made


def slopes_of(op, a, b):
    return (1.0, 1.0) if op == "add" else (b, a)


def compare_records(which, records, steps, made):
    """Raise unless a list of records has one for each step, with the right ids and derivatives."""
    if not isinstance(records, list) or len(records) != len(steps):
        found = f"{len(records)} records" if isinstance(records, list) else repr(records)
        raise Failed(
            f"While the {which} was open, {len(steps)} ops ran. Its list has {found}.",
            fix="let each op append one record to the list of every tape in `active`",
        )
    first = len(made) - len(steps)
    for number, (record, (op, i, j)) in enumerate(zip(records, steps), start=1):
        a, b, y = made[i], made[j], made[first + number - 1]
        told = f"Record {number} of the {which}, for {op} of {a.number:.4g} and {b.number:.4g},"
        try:
            name, inputs = record
            inputs = [(source, float(slope)) for source, slope in inputs]
        except (TypeError, ValueError):
            raise Failed(f"{told} is `{record!r}`.", fix="make the record a pair, whose second part is a list of pairs (id, number)") from None
        if name != y.id:
            raise Failed(f"{told} should begin with the id of the output, {y.id}, but it begins with {name!r}.", fix="begin the record with the id of `y`")
        wanted, found = {}, {}
        for source, slope in zip((a.id, b.id), slopes_of(op, a.number, b.number)):
            wanted[source] = wanted.get(source, 0.0) + slope
        for source, slope in inputs:
            found[source] = found.get(source, 0.0) + slope
        if set(found) != set(wanted):
            raise Failed(
                f"{told} should list the inputs with the ids {sorted(wanted)}, but it lists {list(found)}.",
                fix="write one pair for each input, and begin each pair with the id of the input",
            )
        for source, slope in wanted.items():
            if not math.isclose(found[source], slope, rel_tol=1e-9):
                raise Failed(
                    f"{told} pays {found[source]:.4g} to the value with the id {source}, for 1 that y gets.",
                    fix="answer this question: if this input increases a little and the other does not change, by how much does `y` increase?",
                )


def writes_its_records(student, draw):
    """each op appends one record to each open tape, with the ids and the derivatives"""
    made = [student.Value(draw.uniform([], 0.5, 1.5)) for _ in range(2)]
    steps = [("mul", 1, 0), ("add", 2, 1), *[(op, i + 2, j) for op, i, j in drawn_ops(draw, 3)]]
    computed(student, made, steps[:1])
    with student.Tape() as outer:
        computed(student, made, steps[1:3])
        with student.Tape() as inner:
            computed(student, made, steps[3:])
    values = len(made)
    made[0] * made[1]
    compare_records("inner of two tapes", inner.records, steps[3:], made[:values])
    compare_records("outer of two tapes", outer.records, steps[1:], made[:values])


def answers_from_its_list(student, draw):
    """the gradient is correct on random programs"""
    for length in (2, 5):
        numbers, steps = [draw.uniform([], 0.5, 1.2) for _ in range(2)], drawn_ops(draw, length)
        made = [student.Value(each) for each in numbers]
        with student.Tape() as tape:
            computed(student, made, steps)
        moves = [0.0, 1.0]  # of the second value, carried forward
        for op, i, j in steps:
            by_a, by_b = slopes_of(op, made[i].number, made[j].number)
            moves.append(moves[i] * by_a + moves[j] * by_b)
        is_empty = not tape.records
        answer = tape.gradient(made[-1], made[1])
        if not isinstance(answer, (int, float)) or not math.isclose(answer, moves[-1], rel_tol=1e-9):
            shown = f"{answer:.6g}" if isinstance(answer, (int, float)) else repr(answer)
            raise Failed(
                f"After {length} random ops, the gradient is {moves[-1]:.6g}, but your tape returns {shown}.",
                fix="let the ops append to the list of the tape, which is empty" if is_empty else "return what `walk` found for the id of the source",
            )


def answers_once_or_stays(student, draw):
    """a plain tape releases its records after one answer, and a persistent tape keeps them"""
    at = draw.uniform([], 0.5, 2.0)
    for persistent in (False, True):
        a = student.Value(at)
        with student.Tape(persistent) as tape:
            y = a * a
        kind = "persistent" if persistent else "plain"
        first = tape.gradient(y, a)
        if bool(tape.records) != persistent:
            raise Failed(
                f"After its first answer, the {kind} tape has the records {tape.records!r}.",
                fix="set the records of a plain tape to None after the call to `walk`, and keep the records of a persistent tape",
            )
        try:
            again = tape.gradient(y, a)
        except RuntimeError:
            again = RuntimeError
        except Exception as error:
            raise Failed(
                f"When it was asked a second time, the {kind} tape raised {type(error).__name__}: {error}.",
                fix="check the records before you pass them to `walk`",
            ) from error
        if persistent and again != first:
            told_again = "raised a RuntimeError" if again is RuntimeError else f"returned {again!r}"
            raise Failed(
                f"A persistent tape returned {first!r}. When it was asked a second time, it {told_again}.",
                fix="let a persistent tape return the same answer each time",
            )
        if not persistent and again is not RuntimeError:
            raise Failed(
                f"When it was asked a second time, a plain tape returned {again!r}.",
                fix="raise a RuntimeError if the tape has released its records",
            )
