"""The checks of lesson 14: they ask the student's engine the questions of lessons 1 to 4."""

import math

from minitape.course.failing import Failed


def number(value):
    """Return a gradient as a number, or None if it is None."""
    return None if value is None else float(getattr(value, "number", value))


def slope(f, at, position=0, step=1e-5):
    """Return the derivative of f with respect to one of its arguments, by central differences in float64."""
    right, left = (
        f(*[x + sign * step if i == position else x for i, x in enumerate(at)]) for sign in (1, -1)
    )
    return (right - left) / (2 * step)


def same(what, wanted, found, fix):
    """Raise unless a number (or None) is the expected one."""
    if (found is None) != (wanted is None) or (
        found is not None and not math.isclose(found, wanted, rel_tol=1e-5, abs_tol=1e-6)
    ):
        told = ["None" if each is None else f"{each:.6g}" for each in (wanted, found)]
        raise Failed(f"{what} should be {told[0]}, but it is {told[1]}.", fix=fix)


def asked(student, f, at, watched=None):
    """Return what the student's tape answers for f if it watches all of the numbers, or only some."""
    values = [student.Value(each) for each in at]
    with student.Tape() as tape:
        for position in range(len(values)) if watched is None else watched:
            tape.watch(values[position])
        y = f(*values)
    answer = tape.gradient(y, values)
    if not isinstance(answer, list) or len(answer) != len(values):
        raise Failed(
            f"The tape received {len(values)} sources, but its answer is {answer!r}.",
            fix="return a list from `walk`, with one entry for each source, in order",
        )
    return [number(each) for each in answer]


# --- ex1 ---


def records_what_it_watches(student, draw):
    """each tape records the ops that depend on what it watches, in order, and no others"""
    for _ in range(3):
        values = [student.Value(draw.uniform([], -1.0, 1.0)) for _ in range(4)]
        tapes = [student.Tape(), student.Tape()]
        reached = [{0}, {1}]
        wanted = [[], []]
        with tapes[0], tapes[1]:
            tapes[0].watch(values[0])
            tapes[1].watch(values[1])
            for _ in range(8):
                op = ("add", "mul", "sin")[draw.whole(0, 2)]
                picked = [draw.whole(0, len(values) - 1) for _ in range(1 if op == "sin" else 2)]
                values.append(student.run(op, *[values[i] for i in picked]))
                for known, expected in zip(reached, wanted, strict=True):
                    if known & set(picked):
                        known.add(len(values) - 1)
                        expected.append((op, len(values) - 1, picked))
        student.run("mul", values[0], values[1])
        for which, tape, expected in zip(("first", "second"), tapes, wanted, strict=True):
            compare_records(f"The {which} of two tapes", tape.records, expected, values)


def compare_records(told, records, expected, values):
    for record in records:
        if not isinstance(record, tuple) or len(record) != 3:
            raise Failed(
                f"A record should be `(op, y, inputs)`, but one record is {record!r}.",
                fix="append a tuple with three entries: the name, the output, and the list of the inputs",
            )
    names, wanted = [op for op, _, _ in records], [op for op, _, _ in expected]
    if names != wanted:
        more = len(names) > len(wanted)
        raise Failed(
            f"{told} should record {wanted}, but it recorded {names}.",
            fix="let a tape record an op only if it watches at least one of the inputs"
            if more
            else "make the tape watch the outputs too, so that it records what is computed from them",
        )
    for place, ((_, y, inputs), (_, out, picked)) in enumerate(zip(records, expected, strict=True)):
        if y is not values[out] or len(inputs) != len(picked):
            raise Failed(
                f"{told}: record {place + 1} does not hold the output and the list of the inputs.",
                fix="keep the objects themselves: `y` as `run` returns it, and the inputs as `run` received them",
            )
        if any(x is not values[i] for x, i in zip(inputs, picked, strict=True)):
            raise Failed(
                f"{told}: record {place + 1} does not hold the inputs of the op.",
                fix="keep the objects of the class `Value` themselves, in their order, and not their numbers",
            )


def numbers_stay_numbers(student, draw):
    """a plain number next to a `Value` is an input like any other"""
    x = student.Value(draw.uniform([], 1.0, 2.0))
    with student.Tape() as tape:
        tape.watch(x)
        y = 3.0 * x
    same("3 · x", 3.0 * x.number, number(y), "return the output from `run`, as in the original file")
    if [op for op, _, _ in tape.records] != ["mul"]:
        raise Failed(
            f"3 · x should be recorded once, as mul, but the records are {tape.records!r}.",
            fix="record an op even if only one of its inputs is watched",
        )


# --- ex2: lesson 1, and a part of lesson 3 ---


HIGHEST = 2.0  # the input of an exp


def chain(draw):
    """Return a point, a list of steps (op, c) that starts at it, and the derivative there; no value is used twice.

    The derivative is the product of the derivatives of the steps, each at the number that enters the step. A tape multiplies the
    same numbers, so the two differ only by rounding, about 1e-15 of their size. Finite differences would not be accurate enough,
    because after several exp the third derivative can be 10^8 times the first. If the input of an exp would be larger than
    HIGHEST, a sin takes its place, because repeated exp would overflow.
    """
    at = x = draw.uniform([], -0.8, 0.8)
    steps, slope_there = [], 1.0
    for _ in range(draw.whole(3, 5)):
        op, c = ("sin", "exp", "mul", "add")[draw.whole(0, 3)], draw.uniform([], -1.2, 1.2)
        if op == "exp" and x > HIGHEST:
            op = "sin"
        steps.append((op, c))
        if op == "sin":
            x, step_slope = math.sin(x), math.cos(x)
        elif op == "exp":
            x = step_slope = math.exp(x)
        elif op == "mul":
            x, step_slope = x * c, c
        else:
            x, step_slope = x + c, 1.0
        slope_there *= step_slope
    return at, steps, slope_there


def walks_a_chain_back(student, draw):
    """the derivative of a chain of ops is the product of the derivatives of its steps"""
    for _ in range(4):
        at, steps, wanted = chain(draw)

        def on_values(x, steps=steps):
            for op, c in steps:
                x = student.run(op, x, c) if op in ("mul", "add") else student.run(op, x)
            return x

        told = " > ".join(f"{op} {c:.3g}" if op in ("mul", "add") else op for op, c in steps)
        (found,) = asked(student, on_values, [at])
        same(
            f"The derivative of the chain {told} at {at:.4g}",
            wanted,
            found,
            "start with the last record, and pay each input what the *rule* returns for `ybar`",
        )


def two_inputs_are_both_paid(student, draw):
    """a product pays both of its inputs"""
    a, b = draw.uniform([], 0.5, 2.0), draw.uniform([], 0.5, 2.0)
    found = asked(student, lambda x, y: student.run("sin", x) * y, [a, b])
    fix = "use the list of the rule, which has one contribution for each input, in their order"
    for name, wanted, one in zip("ab", (math.cos(a) * b, math.sin(a)), found, strict=True):
        same(f"The derivative of sin(a) · b with respect to {name} at ({a:.4g}, {b:.4g})", wanted, one, fix)


def none_means_no_way(student, draw):
    """the answer is None for a source that is not watched, that has no path, or that is behind an op without a rule"""
    a, b = draw.uniform([], 0.5, 2.0), draw.uniform([], 0.5, 2.0)
    _, by_b = asked(student, lambda x, y: x * y, [a, b], watched=[0])
    same("The gradient of a · b with respect to b, which is not watched,", None, by_b, "pay only watched inputs")
    _, by_b = asked(student, lambda x, y: student.run("sin", x), [a, b])
    same("The gradient of sin(a) with respect to b", None, by_b, "do not add a value to `totals` if it receives no contribution")
    (by_a,) = asked(student, lambda x: 2.0 * student.run("floor", x), [a])
    fix = "skip the record if the rule is None"
    same("The gradient of 2 · floor(a) with respect to a", None, by_a, fix)


# --- ex3: lesson 2, and a part of lesson 4 ---


def diamond(a, b):
    return (a + b) + a * b + (a + b) * (a * b)


def payments_add_up(student, draw):
    """the example of lesson 2, at random points"""
    at = [draw.uniform([], 0.5, 3.0), draw.uniform([], 0.5, 3.0)]
    found = asked(student, diamond, at)
    for position, name in enumerate("ab"):
        same(
            f"The derivative of a+b + ab + (a+b)·ab with respect to {name} at ({at[0]:.4g}, {at[1]:.4g})",
            slope(diamond, at, position),
            found[position],
            "add a contribution to the previous one if the value already has a cotangent",
        )


def twice_in_one_place(student, draw):
    """x · x, and a square of a square"""
    at = draw.uniform([], 0.5, 1.5)
    (found,) = asked(student, lambda x: x * x, [at])
    fix = "count both contributions, because one record may pay the same input twice"
    same(f"The derivative of x · x at {at:.4g}", 2.0 * at, found, fix)

    def fourth(x):
        square = x * x
        return square * square

    (found,) = asked(student, fourth, [at])
    fix = "let each record pay once, after it has received all its payments"
    same(f"The derivative of (x · x) · (x · x) at {at:.4g}", 4.0 * at**3, found, fix)


def targets_add_up(student, draw):
    """the gradient of a list of targets is the gradient of their sum, even if one occurs twice"""
    at = draw.uniform([], 0.5, 1.5)
    x = student.Value(at)
    with student.Tape() as tape:
        tape.watch(x)
        y, z = x * x, student.run("sin", x)
    (found,) = tape.gradient([y, z], [x])
    fix = "start with the cotangent 1 for each target"
    same(f"The derivative of [x · x, sin x] at {at:.4g}", 2.0 * at + math.cos(at), number(found), fix)
    (found,) = tape.gradient([y, y], [x])
    fix = "add instead of overwriting, so that a target that occurs twice starts with the cotangent 2"
    same(f"The derivative of [y, y], with y = x · x, at {at:.4g}", 4.0 * at, number(found), fix)
    (found,) = tape.gradient([y, x], [x])
    fix = "add the payments to the initial 1 if a target is also a source"
    same(f"The derivative of [x · x, x] with respect to x at {at:.4g}", 2.0 * at + 1.0, number(found), fix)


# --- ex4: all of it ---


def tapes_may_lie_in_tapes(student, draw):
    """the second derivative, and tapes that stop in any order"""
    at = draw.uniform([], 0.5, 1.5)
    x = student.Value(at)
    with student.Tape() as outer:
        outer.watch(x)
        with student.Tape() as inner:
            inner.watch(x)
            y = student.run("sin", x) * x * x
        (first,) = inner.gradient(y, [x])
    (second,) = outer.gradient(first, [x]) if first is not None else [None]
    wanted = 2 * math.sin(at) + 4 * at * math.cos(at) - at * at * math.sin(at)
    fix = "let a tape that stops leave the tapes that started before it in the list"
    same(f"The second derivative of sin(x) · x² at {at:.4g}", wanted, number(second), fix)

    one, other = student.Tape(), student.Tape()
    student.start(one)
    student.start(other)
    one.watch(x)
    other.watch(x)
    student.stop(one)
    y = x * x
    student.stop(other)
    student.run("mul", x, x)
    if (len(one.records), len(other.records)) != (0, 1):
        raise Failed(
            "Two tapes start, the first tape stops, x · x runs, and the second tape stops. The tapes should have "
            f"recorded 0 and 1 ops, but they recorded {len(one.records)} and {len(other.records)}.",
            fix="remove this tape in `stop`, not the last tape that started",
        )


def functions_have_gradients(student, draw):
    """x³y - xy² and its two gradients, from numbers and from objects of the class `Value`"""

    def f(x, y):
        return x * x * x * y - x * y * y

    a, b = draw.uniform([], 0.5, 2.0), draw.uniform([], 0.5, 2.0)
    for given in ([a, b], [student.Value(a), student.Value(b)]):
        answer = student.val_and_grad_function(f)(*given)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Failed(
                f"`val_and_grad_function(f)(a, b)` should return two things, but it returned {answer!r}.",
                fix="return `y` and the list that the tape returns",
            )
        value, gradients = answer
        at = f"x³y - xy² at ({a:.4g}, {b:.4g})"
        same(f"The value of {at}", a**3 * b - a * b**2, number(value), "return the value of `f` itself")
        fix = "watch every argument before `f` runs, and ask for the gradients of all of them in order"
        for name, wanted, one in zip(
            "xy", (3 * a * a * b - b * b, a**3 - 2 * a * b), gradients, strict=True
        ):
            same(f"The derivative of {at} with respect to {name}", wanted, number(one), fix)


def one_object_twice_is_two_arguments(student, draw):
    """f(v, v) has one gradient for each argument"""
    at = draw.uniform([], 0.5, 2.0)
    v = student.Value(at)
    by_a, by_b = student.gradients_function(lambda a, b: a * a * b)(v, v)
    fix = "pass new objects of the class `Value` to `f`: one of the seven ops creates a new one from an old one"
    same(f"The derivative of a · a · b with respect to a at (v, v), v = {at:.4g},", 2 * at * at, number(by_a), fix)
    same(f"The derivative of a · a · b with respect to b at (v, v), v = {at:.4g},", at * at, number(by_b), fix)


def gradients_of_gradients(student, draw):
    """applied twice, `gradients_function` returns the second derivative, and applied once more, the third"""
    at = draw.uniform([], 0.5, 1.5)

    def derived(f):
        return lambda x: student.gradients_function(f)(x)[0]

    f = derived(derived(lambda x: student.run("sin", x) * x))
    fix = "compute the new objects of the class `Value` from the old ones with an op, so that an outer tape records it"
    wanted = 2 * math.cos(at) - at * math.sin(at)
    same(f"The second derivative of x · sin x at {at:.4g}", wanted, number(f(at)), fix)
    wanted = -3 * math.sin(at) - at * math.cos(at)
    same(f"The third derivative of x · sin x at {at:.4g}", wanted, number(derived(f)(at)), fix)


def answers_lessons_1_to_4(student, draw):
    """the engine answers the questions of lessons 1 to 4"""
    walks_a_chain_back(student, draw)
    none_means_no_way(student, draw)
    payments_add_up(student, draw)
    twice_in_one_place(student, draw)
    targets_add_up(student, draw)
    records_what_it_watches(student, draw)
