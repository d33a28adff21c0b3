# %% [markdown]
# # 4. Targets, sources, shapes
#
# A gradient has the shape of its source, always: one slope for each number you can move.

# %%
import minitape as tf

# %% [markdown]
# A linear layer. x may be a plain Python list; w is 3 by 2, b has 2 entries.

# %%
w = tf.Variable([[1.0, -1.0], [0.5, 2.0], [-2.0, 0.0]], name="w")
b = tf.Variable([0.0, 1.0], name="b")
x = [[1.0, 2.0, 3.0]]

with tf.GradientTape(persistent=True) as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y**2)

dw, db = tape.gradient(loss, [w, b])
print("w", tuple(w.shape), "dw", tuple(dw.shape))
print("b", tuple(b.shape), "db", tuple(db.shape))

# %% [markdown]
# Sources may be nested as you like; the answer is nested in the same way.

# %%
slopes = tape.gradient(loss, {"weights": w, "bias": b})
print("by the bias:", slopes["bias"].numpy())

# %% [markdown]
# A source need not be where you began: anything that was recorded will do. With y = x² and
# z = y² at x = 3, dz/dy = 2y = 18.

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print("dz/dy =", tape.gradient(z, y).numpy())

# %% [markdown]
# Several targets, or a target with several entries: the answer is the gradient of their *sum*.

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    parts = {"square": x**2, "inverse": 1 / x}
print("of both:", tape.gradient(parts, x).numpy())     # 4 - 1/4

with tf.GradientTape() as tape:
    y = x * [3.0, 4.0]
print("of a vector:", tape.gradient(y, x).numpy())     # 3 + 4

# %% [markdown]
# `output_gradients` gives each entry a weight of its own. The weights (1, 0, 0) pick out the
# first entry.

# %%
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = x**2
print("of the first:", tape.gradient(y, x, output_gradients=tf.constant([1.0, 0.0, 0.0])).numpy())
