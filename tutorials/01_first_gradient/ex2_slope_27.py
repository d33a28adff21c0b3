# %% [markdown]
# # A function with slope 27
#
# Change `f` so that its slope at `x = 3` is 27. Many functions have this slope. Two conditions apply:
#
# - `f` must not be a straight line: at a different `x`, its slope must be different.
# - Compute the result from `x`, with the usual operators (`+ - * / **`) or with ops from `tf`.
#
# Your solution is correct when the first printed line ends with 27.0 and the second does not.

# %%
import minitape as tf

# %%
# TODO
def f(x):
    return x * x
# END

# %%
for at in (3.0, 1.0):
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = f(x)
    slope = tape.gradient(y, x) if tf.is_tensor(y) else None
    print("slope at", at, "is", None if slope is None else float(slope))
