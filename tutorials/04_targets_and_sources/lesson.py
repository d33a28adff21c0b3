# %% [markdown]
# # 4. Targets, sources, shapes
#
# Until now, one number moved another. Now many numbers move many others. One rule always holds: a
# gradient has the shape of its *source*. There is one slope for each number that you can move,
# whatever the shape of the target.

# %%
import minitape as tf

# %% [markdown]
# ## See: a linear layer
#
# x has one row of three numbers and may be a plain Python list. w is 3 by 2, b has two entries.
# Predict the shapes of the two gradients.

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
# For a list of sources the tape returns a list of gradients, for a dictionary a dictionary. So a
# model can store its variables in any structure.

# %%
with tf.GradientTape() as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y**2)

slopes = tape.gradient(loss, {"weights": w, "bias": b})
print("by the bias:", slopes["bias"].numpy())

# %% [markdown]
# ## What is broadcast is summed
#
# Now a batch: four rows. `+ b` adds the same two numbers to each row. b occurs once and is used
# four times, so four payments come back to it and add up. That is why db still has two entries.

# %%
batch = tf.ones([4, 3])
with tf.GradientTape() as tape:
    y = batch @ w + b
    total = tf.reduce_sum(y)

print("y", tuple(y.shape), "db", tape.gradient(total, b).numpy())

# %% [markdown]
# Each of the four rows pays 1 to each entry, so each gets 4. `minitape graph lesson.py --call 3 --view backward`
# draws it. The gradient of y has eight cells. The gradient that goes on to b has two: each is the
# sum of a column.

# %% [markdown]
# ## A source in the middle
#
# A source need not be the start of the computation; any recorded value will do. With y = x² and
# z = y² at x = 3: predict dz/dy. (Not dz/dx!)

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print("dz/dy =", tape.gradient(z, y).numpy())

# %% [markdown]
# 2y = 2 · 9 = 18.

# %% [markdown]
# ## Several targets: their sum
#
# Each source gets one number, however many targets there are. So the answer for several targets
# is the gradient of their *sum*. x² and 1/x at 2 have the slopes 4 and -1/4. Predict.

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    parts = {"square": x**2, "inverse": 1 / x}
print("of both:", tape.gradient(parts, x).numpy())

# %% [markdown]
# The same holds for a target with several entries. The answer is not a vector of two slopes, but one number:

# %%
with tf.GradientTape() as tape:
    y = x * [3.0, 4.0]
print("of a vector:", tape.gradient(y, x).numpy())

# %% [markdown]
# ## When the sum does no harm
#
# To draw the slope of a curve, put many points into one vector. Each y[i] depends only on its own
# x[i], so nothing mixes in the sum: each point gets its own slope.

# %%
x = tf.linspace(-4.0, 4.0, 5)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.sigmoid(x)
for point, slope in zip(x.numpy(), tape.gradient(y, x).numpy()):
    print(f"sigmoid's slope at {point:4.1f}: {slope:.4f}")

# %% [markdown]
# ## When it does
#
# The entries of a softmax depend on each other, and they add up to 1. Their sum does not move,
# whatever x does. Predict the gradient before you run it.

# %%
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.nn.softmax(x)
print("is it zero?", bool(tf.reduce_all(tf.abs(tape.gradient(y, x)) < 1e-6)))

# %% [markdown]
# `minitape explain lesson.py` detects this trap and shows the line.

# %% [markdown]
# ## Weights for the entries
#
# `output_gradients` gives each entry of the target a weight in that sum. The weights (1, 0, 0)
# pick out the first entry. The backward pass begins with these weights in place of ones.

# %%
with tf.GradientTape() as tape:
    y = x**2
first = tf.constant([1.0, 0.0, 0.0])
print("of the first:", tape.gradient(y, x, output_gradients=first).numpy())

# %% [markdown]
# ## What to take home
#
# - A gradient has the shape of its source.
# - Several targets, or several entries, are summed.
# - What is broadcast in the forward pass is summed in the backward pass.
# - `output_gradients` gives each entry a weight.
#
# Four exercises are waiting: `minitape lesson run 04/ex1`.
