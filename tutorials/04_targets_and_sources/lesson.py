# %% [markdown]
# # 4. Targets, sources, shapes
#
# Until now, a gradient related one number to another. Now many numbers depend on many others. One
# rule always holds: a gradient has the shape of its *source*. It contains one derivative for each
# number of the source, and the shape of the target does not matter.

# %%
import minitape as tf

# %% [markdown]
# ## See: a linear layer
#
# `x` has one row of three numbers and may be a plain Python list. `w` is a 3 × 2 matrix, and `b`
# has two entries. Predict the shapes of the two gradients.

# %%
w = tf.Variable([[1.0, -1.0], [0.5, 2.0], [-2.0, 0.0]], name="w")
b = tf.Variable([0.0, 1.0], name="b")
x = [[1.0, 2.0, 3.0]]

with tf.GradientTape() as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y**2)

dw, db = tape.gradient(loss, [w, b])
print("w", tuple(w.shape), "dw", tuple(dw.shape))
print("b", tuple(b.shape), "db", tuple(db.shape))

# %% [markdown]
# ## Sources may be nested
#
# For a list of sources, the tape returns a list of gradients. For a dictionary, it returns a
# dictionary. Therefore, a model can store its variables in any structure.

# %%
with tf.GradientTape() as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y**2)

slopes = tape.gradient(loss, {"weights": w, "bias": b})
print("with respect to the bias:", slopes["bias"].numpy())

# %% [markdown]
# ## The gradient of a broadcast value is a sum
#
# Now use a batch of four rows. `+ b` adds the same two numbers to each row. `b` occurs once but is
# used four times, so it receives four payments, which add up. This is why `db` still has two entries.

# %%
batch = tf.ones([4, 3])
with tf.GradientTape() as tape:
    y = batch @ w + b
    total = tf.reduce_sum(y)

print("y", tuple(y.shape), "db", tape.gradient(total, b).numpy())

# %% [markdown]
# Each of the four rows pays 1 to each entry of `b`, so each entry receives 4. You can see these payments with
# `minitape graph lesson.py --call 3 --view backward`. The gradient of `y` has eight cells. The gradient that goes
# on to `b` has two cells, and each of them is the sum of a column.

# %% [markdown]
# ## A source in the middle
#
# A source does not have to be the start of the computation: you can use any recorded value. For
# y = x² and z = y² at `x = 3`, predict dz/dy (not dz/dx).

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print("dz/dy =", tape.gradient(z, y).numpy())

# %% [markdown]
# dz/dy = 2y = 2 · 9 = 18.

# %% [markdown]
# ## Several targets are summed
#
# Each source receives one number, even if there are several targets. This number is the gradient
# of their *sum*. At 2, the derivatives of x² and 1/x are 4 and -1/4. Predict the answer.

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    parts = {"square": x**2, "inverse": 1 / x}
print("of both targets:", tape.gradient(parts, x).numpy())

# %% [markdown]
# The same holds for a target with several entries. The answer is one number, not a vector of two derivatives:

# %%
with tf.GradientTape() as tape:
    y = x * [3.0, 4.0]
print("of a vector:", tape.gradient(y, x).numpy())

# %% [markdown]
# ## When the sum is harmless
#
# To draw the derivative of a curve, put many points into one vector. Each `y[i]` depends only on
# its own `x[i]`, so the sum does not mix the points: each point gets its own derivative.

# %%
x = tf.linspace(-4.0, 4.0, 5)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.sigmoid(x)
for point, slope in zip(x.numpy(), tape.gradient(y, x).numpy()):
    print(f"derivative of the sigmoid at {point:4.1f}: {slope:.4f}")

# %% [markdown]
# ## When the sum is a trap
#
# The entries of a softmax depend on each other, and they always add up to 1. Their sum does not
# change when `x` changes. Predict the gradient before you run the cell.

# %%
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.nn.softmax(x)
print("is it zero?", bool(tf.reduce_all(tf.abs(tape.gradient(y, x)) < 1e-6)))

# %% [markdown]
# `minitape explain lesson.py` detects this trap and shows the line on which it occurs.

# %% [markdown]
# ## Weights for the entries
#
# `output_gradients` gives each entry of the target a weight in the sum. The weights (1, 0, 0)
# select the first entry. The backward pass then begins with these weights instead of ones.

# %%
with tf.GradientTape() as tape:
    y = x**2
first = tf.constant([1.0, 0.0, 0.0])
print("of the first entry:", tape.gradient(y, x, output_gradients=first).numpy())

# %% [markdown]
# ## What to take home
#
# - A gradient has the shape of its source.
# - The tape sums over several targets, and over several entries of a target.
# - If the forward pass broadcasts a value, the backward pass sums the gradients of its copies.
# - `output_gradients` gives each entry of the target a weight.
#
# Four exercises are waiting. Start with `minitape lesson run 04/ex1`.
