"""The checks of lesson 2."""

import minitape as tf
from minitape.course.failing import Failed

OPS = {
    "a + b": lambda a, b: a + b,
    "a * b": lambda a, b: a * b,
    "-a": lambda a, b: -a,
    "sin(a)": lambda a, b: tf.sin(a),
    "exp(a)": lambda a, b: tf.exp(a),
    "sigmoid(a)": lambda a, b: tf.sigmoid(a),
}


def kept_by(op):
    """Return what the tape keeps for an op, read from a recording of the op."""
    a, b = tf.Variable(0.5), tf.Variable(2.0)
    with tf.debug.record() as recording, tf.GradientTape():
        op(a, b)
    (ran,) = [event for event in recording.trace.events if type(event).__name__ == "OpEvent"]
    if not ran.saved:
        return "nothing"
    return "output" if ran.outputs[0].id in ran.saved else "inputs"


def keeps_what_it_must(student, draw):
    """what the tape keeps for each op"""
    keeps = student.keeps
    if not isinstance(keeps, dict):
        raise Failed("`keeps` is no longer a dictionary.", fix='keep the six lines of the dictionary, such as `"a + b": ...`')
    for name, op in OPS.items():
        said = keeps.get(name)
        if said not in ("nothing", "inputs", "output"):
            raise Failed(
                f'For `{name}` you wrote {said!r}. Choose one of the words "nothing", "inputs" and '
                '"output".',
                fix=f"put one of the three words next to `{name}`",
            )
        if said != kept_by(op):
            raise Failed(
                f'For `{name}` you wrote "{said}", but its entry on the tape does not keep that.',
                fix=f"write down the derivative of `{name}`. Which variables does it contain? Can you write it with only "
                "the result of the op?",
            )


class Counted(list):
    """The inputs of an entry; counts how often a program iterates over them."""

    def __init__(self, items):
        super().__init__(items)
        self.visits = 0

    def __iter__(self):
        self.visits += 1
        return super().__iter__()


def drawn_tape(draw, length):
    """Entries e0, e1, ... that use the source or earlier entries."""
    made = ["source"]
    tape = []
    for number in range(length):
        first, second = (made[int(draw.whole(0, len(made) - 1))] for _ in range(2))
        slopes = [float(draw.uniform([], 0.5, 1.5)) for _ in range(2)]
        newest = made[-1]  # so that all entries are connected
        tape.append((f"e{number}", Counted([(newest, slopes[0]), (first, slopes[1]), (second, 0.25)])))
        made.append(f"e{number}")
    return tape


def paid_forwards(tape):
    """Return the gradient of the last entry with respect to the source, by propagating a change of the source forward to the end."""
    moves = {"source": 1.0}
    for name, inputs in tape:
        moves[name] = sum(moves[source] * slope for source, slope in list.__iter__(inputs))
    return moves[tape[-1][0]]


def described(tape):
    """Return a phrase that describes a tape; a short tape is written out as in the exercise."""
    if len(tape) > 3:
        return f"On a random tape of {len(tape)} entries"
    entries = [(name, [(each, round(slope, 3)) for each, slope in list.__iter__(inputs)]) for name, inputs in tape]
    return f"On the tape `{entries}`, with the target {tape[-1][0]!r},"


def walks_right(student, draw):
    """`walk` is correct on random tapes, and visits each entry once"""
    for length in (3, 12):
        tape = drawn_tape(draw, length)
        target, told = tape[-1][0], described(tape)
        wanted = paid_forwards(tape)
        answer = student.walk(tape, target)
        if not isinstance(answer, dict) or "source" not in answer:
            raise Failed(
                f"{told} `walk` returned no gradient for the input named 'source'.",
                fix="return a dictionary with an entry for each input that received a payment",
            )
        if abs(answer["source"] - wanted) > 1e-6 * max(1.0, abs(wanted)):
            raise Failed(
                f"{told} the gradient is {wanted:.6g}, but your `walk` returns "
                f"{answer['source']:.6g}.",
                fix="let an entry pay only after it has received all its payments: go through `reversed(tape)`, and add "
                "each payment to what the input already has",
            )
        most = max(inputs.visits for _, inputs in tape)
        if most > 2:
            raise Failed(
                f"{told} the number is correct, but your `walk` visited one entry "
                f"{most} times. On a long tape, this would take practically forever.",
                fix="use one loop over the tape, from its end, and no recursion",
            )


def leaves_out_what_is_not_on_the_way(student, draw):
    """an entry without payments pays nothing"""
    used, unused = (float(draw.uniform([], 0.5, 2.0)) for _ in range(2))
    tape = [("y", [("x", used)]), ("later", [("y", unused), ("x", unused)])]
    told = f"The target `y` is {used:.4g} · x. After it, one more op, 'later', used `y` and `x`, but `y` does not depend on it."
    try:
        by_x = student.walk(tape, "y").get("x")
    except KeyError as error:
        raise Failed(
            f"{told} Your `walk` raised KeyError: {error}.",
            fix="let an entry without payments, which is not in the dictionary, pay nothing",
        ) from error
    if abs((by_x or 0.0) - used) > 1e-6:
        raise Failed(
            f"{told} dy/dx is {used:.4g}, but your `walk` returns {by_x}.",
            fix="let an entry without payments pass on 0",
        )
