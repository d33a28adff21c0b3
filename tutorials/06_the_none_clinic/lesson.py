# %% [markdown]
# # 6. The None clinic
#
# None means: the tape found no way from the source to the target. That is not zero, and it is
# hardly ever what you wanted. Four patients; `minitape explain lesson.py` knows them all.

# %%
import numpy as np

import minitape as tf

# %% [markdown]
# ## The name that changed hands
#
# `x + 1` is a new tensor. After the line below x is no variable any more, and nobody watches it.

# %%
x = tf.Variable(2.0)
for epoch in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    slope = tape.gradient(y, x)
    print("a variable:", isinstance(x, tf.Variable), None if slope is None else slope.numpy())
    x = x + 1                           # the cure: x.assign_add(1)

# %% [markdown]
# ## The detour through NumPy
#
# NumPy takes the numbers and leaves their history behind.

# %%
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    squares = x**2
    y = np.mean(squares, axis=0)        # the cure: tf.reduce_mean(squares, axis=0)
    y = tf.reduce_mean(y, axis=0)
print("through NumPy:", tape.gradient(y, x))

# %% [markdown]
# ## Whole numbers
#
# Between 10 and 11 there is nothing to move to. An integer has no slope. TensorFlow and minitape
# both warn about it; here we keep the page quiet.

# %%
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    x = tf.constant(10)                 # the cure: 10.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    print("of an integer:", tape.gradient(y, x))

# %% [markdown]
# ## Strangers
#
# Here None is the truth: z does not depend on y. If zeros suit you better, ask for them. But
# remember that zeros look healthy, and would have hidden the other three patients as well.

# %%
x = tf.Variable([2.0, 2.0])
y = tf.Variable(3.0)
for unconnected in (tf.UnconnectedGradients.NONE, tf.UnconnectedGradients.ZERO):
    with tf.GradientTape() as tape:
        z = y**2
    slope = tape.gradient(z, x, unconnected_gradients=unconnected)
    print("of a stranger:", None if slope is None else slope.numpy())
