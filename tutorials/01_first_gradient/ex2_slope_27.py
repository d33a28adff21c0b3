# %% [markdown]
# # A function to order
#
# Change `f` so that its slope at x = 3 is 27. There are many such functions. Two conditions:
#
# - `f` must not be a straight line: at another x the slope is different;
# - compute the result from x, with the usual operators (+ - * / **) or with ops of `tf`.
#
# It is right when the first line that is printed ends with 27.0, and the second does not.

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
