# %% [markdown]
# # Why not use recursion?
#
# Here is a tape in plain Python: a list of entries `(name, inputs)`, in the order in which the
# ops ran. Each input comes with the derivative of the op with respect to that input. The gradient
# of `y` with respect to `a` is 48.
#
# `recursive` takes the approach that comes to mind first: an entry pays its inputs, and then each
# of them does the same. The answer of `recursive` is wrong.
#
# 1. `visits_of_u`: how often does `recursive` visit `u`? Follow the calls with a pencil.
# 2. `walk(tape, target)`: write the correct version. It returns a dictionary with the gradient of the
#    target with respect to each name on the tape and each input. Go through the list once, from the end.
#
# Your solution is correct when your walk prints 48 and the number of visits agrees with your prediction.

# %%
import minitape as tf

# %%
# TODO
visits_of_u = ...


def walk(tape, target):
    gradient = {target: 1.0}
    return gradient
# END

# %%
u, v, w = 4.0, 6.0, 24.0
a = 2.0
entries = [
    ("u", [("a", a), ("a", a)]),      # u = a * a: pays a times, and a times
    ("v", [("u", 1.0), ("a", 1.0)]),  # v = u + a
    ("w", [("u", v), ("v", u)]),      # w = u * v
    ("y", [("w", 1.0), ("u", 1.0)]),  # y = w + u
]


def recursive(entries, target):
    inputs_of = dict(entries)
    gradient = {target: 1.0}
    visits = {}

    def visit(name):
        visits[name] = visits.get(name, 0) + 1
        for source, slope in inputs_of.get(name, []):
            gradient[source] = gradient.get(source, 0.0) + gradient[name] * slope
            visit(source)

    visit(target)
    return gradient, visits


wrong, visits = recursive(entries, "y")
print("recursive: dy/da =", wrong["a"], "(wrong)")
if visits_of_u is not ...:
    print("you said that it visits u", visits_of_u, "times; it visited u", visits["u"], "times")
print("your walk: dy/da =", walk(entries, "y").get("a"))

# %% [markdown]
# Here is the same computation on a real tape:

# %%
x = tf.Variable(a)
with tf.GradientTape() as tape:
    s = x * x
    y = s * (s + x) + s
print("a real tape: dy/da =", tape.gradient(y, x).numpy())
