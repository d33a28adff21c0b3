# %% [markdown]
# # Fan-out
#
# This backward pass works only as long as no value is used twice. The derivative of x · x at 3
# should be 6, but here it is 3.
#
# **Task:** Repair `walk`. Two kinds of values can receive several contributions: a value that was
# used in several places (or twice in one place), and a target that occurs twice. `walk` now takes
# a *list* of targets, and the gradient of a list is the gradient of the sum.
#
# **Given:** You know one rule from lesson 2: payments add up. A contribution is a `Value`, and `+` adds it.

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
def walk(tape, targets, sources):
    totals = {}  # the cotangent of each value, by its id
    for target in targets:
        totals[target.id] = Value(1.0)
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
        return walk(self, target if isinstance(target, list) else [target], sources)

# %%
def diamond(a, b):
    return (a + b) + a * b + (a + b) * (a * b)


a, b = Value(2.0), Value(3.0)
with Tape() as tape:
    tape.watch(a)
    tape.watch(b)
    y = diamond(a, b)
print("yours:", [each and each.number for each in tape.gradient(y, [a, b])])

a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = diamond(a, b)
print("tf:   ", [float(each) for each in tape.gradient(y, [a, b])])
