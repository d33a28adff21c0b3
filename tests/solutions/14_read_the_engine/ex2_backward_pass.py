# %% [markdown]
# # The backward pass
#
# Your tape records ops. Now it needs a backward pass.
#
# **Task:** Complete `walk`. `totals` holds the cotangent of each value. It begins with the target, whose
# cotangent is 1. Go through the records **from the last to the first**. For each record whose output has a
# cotangent in `totals`, call the rule of the op: `rule(ybar, y, *inputs)` returns a list with one contribution
# for each input. Write each contribution into `totals`, but only for inputs that the tape watches.
#
# An op without a rule (`None`, as for `floor`) pays nothing, so the path ends there. For a source
# without a cotangent, the answer is None, not 0.
#
# **Given:** In this exercise, no value is used twice.

# %%
import math
from itertools import count

import minitape as tf

ids = count(1)
active = []  # the tapes that are recording, the outermost first


class Value:
    """A number with an id. Each id is used only once."""

    def __init__(self, number):
        self.number, self.id = float(number), next(ids)

    def __add__(self, other):
        return run("add", self, other)

    def __mul__(self, other):
        return run("mul", self, other)

    def __sub__(self, other):
        return run("add", self, run("mul", -1.0, other))

    __radd__, __rmul__ = __add__, __mul__


OPS = {  # name: (kernel, rule). From the cotangent ybar of the output, a rule returns a contribution for each input.
    "copy": (lambda a: a, lambda ybar, y, a: [ybar]),
    "add": (lambda a, b: a + b, lambda ybar, y, a, b: [ybar, ybar]),
    "mul": (lambda a, b: a * b, lambda ybar, y, a, b: [ybar * b, ybar * a]),
    "sin": (math.sin, lambda ybar, y, a: [ybar * run("cos", a)]),
    "cos": (math.cos, lambda ybar, y, a: [-1.0 * ybar * run("sin", a)]),
    "exp": (math.exp, lambda ybar, y, a: [ybar * y]),
    "floor": (math.floor, None),
}


def run(op, *inputs):
    inputs = [x if isinstance(x, Value) else Value(x) for x in inputs]
    y = Value(OPS[op][0](*[x.number for x in inputs]))
    for tape in active:
        if any(x.id in tape.watched for x in inputs):
            tape.watched.add(y.id)
            tape.records.append((op, y, inputs))
    return y


# TODO
def walk(tape, target, sources):
    totals = {target.id: Value(1.0)}  # the cotangent of each value, by its id
    for op, y, inputs in reversed(tape.records):
        rule = OPS[op][1]
        if y.id in totals and rule is not None:
            for x, share in zip(inputs, rule(totals[y.id], y, *inputs)):
                if x.id in tape.watched:
                    totals[x.id] = share
    return [totals.get(source.id) for source in sources]


# END


class Tape:
    def __init__(self):
        self.records, self.watched = [], set()

    def __enter__(self):
        active.append(self)
        return self

    def __exit__(self, *error):
        active.remove(self)

    def watch(self, x):
        self.watched.add(x.id)

    def gradient(self, target, sources):
        return walk(self, target, sources)

# %%
def f(x, sin):
    return 2.0 * sin(x) + 1.0


x = Value(1.0)
with Tape() as tape:
    tape.watch(x)
    y = f(x, lambda v: run("sin", v))
(mine,) = tape.gradient(y, [x])

x = tf.constant(1.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x, tf.sin)
print("yours:", mine and mine.number, "  tf:", float(tape.gradient(y, x)))
