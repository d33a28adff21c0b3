"""What is held of the exercises of lesson 2."""

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
    """What the tape keeps for an op, looked up in a recording of it."""
    a, b = tf.Variable(0.5), tf.Variable(2.0)
    with tf.debug.record() as recording, tf.GradientTape():
        op(a, b)
    (ran,) = [event for event in recording.trace.events if type(event).__name__ == "Op"]
    if not ran.saved:
        return "nothing"
    return "output" if ran.outputs[0].id in ran.saved else "inputs"


def keeps_what_it_must(student, draw):
    """for each op, what its entry on the tape keeps"""
    keeps = student.keeps
    if not isinstance(keeps, dict):
        raise Failed("keeps is no longer a dictionary.", fix='keep the six lines: "a + b": ..., and so on')
    for name, op in OPS.items():
        said = keeps.get(name)
        if said not in ("nothing", "inputs", "output"):
            raise Failed(
                f'For {name} you said {said!r}. The words to choose from are "nothing", "inputs" and '
                '"output".',
                fix=f"put one of the three words beside {name}",
            )
        if said != kept_by(op):
            raise Failed(
                f'For {name} you said "{said}". That is not what its entry on the tape keeps.',
                fix=f"write down the derivative of {name}. Which letters are in it? Can you write it with "
                "the op's result alone?",
            )


class Counted(list):
    """The inputs of an entry; counts how often somebody went through them."""

    def __init__(self, items):
        super().__init__(items)
        self.visits = 0

    def __iter__(self):
        self.visits += 1
        return super().__iter__()


def drawn_tape(draw, length):
    """Entries e0, e1, ... that use two things made before: the source, or earlier entries."""
    made = ["source"]
    tape = []
    for number in range(length):
        first, second = (made[int(draw.whole(0, len(made) - 1))] for _ in range(2))
        slopes = [float(draw.uniform([], 0.5, 1.5)) for _ in range(2)]
        newest = made[-1]  # so that all hang together
        tape.append((f"e{number}", Counted([(newest, slopes[0]), (first, slopes[1]), (second, 0.25)])))
        made.append(f"e{number}")
    return tape


def paid_forwards(tape):
    """The gradient of the last entry by the source, found the other way: pushing a move from the source to the end."""
    moves = {"source": 1.0}
    for name, inputs in tape:
        moves[name] = sum(moves[source] * slope for source, slope in list.__iter__(inputs))
    return moves[tape[-1][0]]


def walks_right(student, draw):
    """right on drawn tapes, each entry visited once"""
    for length in (3, 12):
        tape = drawn_tape(draw, length)
        target = tape[-1][0]
        wanted = paid_forwards(tape)
        answer = student.walk(tape, target)
        if not isinstance(answer, dict) or "source" not in answer:
            raise Failed(
                f"On a drawn tape of {length} entries, walk gave no gradient for the input named 'source'.",
                fix="return a dict in which each input that was paid has an entry",
            )
        if abs(answer["source"] - wanted) > 1e-6 * max(1.0, abs(wanted)):
            raise Failed(
                f"On a drawn tape of {length} entries the gradient is {wanted:.6g}; your walk says "
                f"{answer['source']:.6g}.",
                fix="an entry may pay only when it has all its payments: go through reversed(tape), and add "
                "each payment to what the input already has",
            )
        most = max(inputs.visits for _, inputs in tape)
        if most > 2:
            raise Failed(
                f"On a drawn tape of {length} entries the number is right, but one entry was visited "
                f"{most} times. On a long tape that takes forever.",
                fix="one loop over the tape, from its end; no function that calls itself",
            )


def leaves_out_what_is_not_on_the_way(student, draw):
    """what nobody has paid pays nothing"""
    used, unused = (float(draw.uniform([], 0.5, 2.0)) for _ in range(2))
    tape = [("y", [("x", used)]), ("later", [("y", unused), ("x", unused)])]
    told = f"The target y is {used:.4g} · x. After it, one more op, 'later', used y and x, and nobody asked for that one."
    try:
        by_x = student.walk(tape, "y").get("x")
    except KeyError as error:
        raise Failed(
            f"{told} Your walk raised KeyError: {error}.",
            fix="an entry to which nobody has paid is not in the dict yet: let it pay nothing",
        ) from error
    if abs((by_x or 0.0) - used) > 1e-6:
        raise Failed(
            f"{told} dy/dx is {used:.4g}; your walk says {by_x}.",
            fix="an entry to which nobody has paid has nothing to give: it passes on 0",
        )
