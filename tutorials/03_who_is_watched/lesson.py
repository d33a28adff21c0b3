# %% [markdown]
# # 3. Who is being watched?
#
# A tape follows what it watches and what is computed from that. It watches trainable variables
# by itself, and everything else only if told to.

# %%
import minitape as tf

# %% [markdown]
# Four sources that look alike. Which of them get a gradient? Predict first.

# %%
x0 = tf.Variable(3.0, name="x0")                      # a trainable variable
x1 = tf.Variable(3.0, name="x1", trainable=False)     # a variable that is not for training
x2 = tf.Variable(2.0, name="x2") + 1.0                # a variable plus one is a tensor
x3 = tf.constant(3.0, name="x3")                      # a constant is a tensor

with tf.GradientTape() as tape:
    y = x0**2 + x1**2 + x2**2

for name, slope in zip(["x0", "x1", "x2", "x3"], tape.gradient(y, [x0, x1, x2, x3])):
    print(name, None if slope is None else slope.numpy())

# %% [markdown]
# Only x0. The tape can say whom it saw:

# %%
print([variable.name for variable in tape.watched_variables()])

# %% [markdown]
# The other way round: watch nothing unless told to. sin(x0) takes part in the sum, but x0 is not
# watched, so its gradient is None. None means "nothing was followed", not "zero".

# %%
x0 = tf.Variable(0.0)
x1 = tf.Variable(10.0)

with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(x1)
    y = tf.reduce_sum(tf.math.sin(x0) + tf.nn.softplus(x1))

slopes = tape.gradient(y, {"x0": x0, "x1": x1})
print("dy/dx0:", slopes["x0"])
print("dy/dx1:", slopes["x1"].numpy())

# %% [markdown]
# Run `minitape explain lesson.py` on this page: it names each of these Nones with its line.
# Which of x1, x2 and x3 can you repair with a single `tape.watch`?
