# %% [markdown]
# # Each entry with its own input
#
# How does each entry of a softmax change when *its own* input changes? The answer is the derivative of `y[i]`
# with respect to `x[i]`. The one-line solution returns zeros, because it computes the gradient of the sum.
#
# Fix `own_slopes(f, x)`. It should return a tensor with the derivative of `f(x)[i]` with respect
# to `x[i]`, even for functions in which the entries mix. `x` and `f(x)` have one axis of the same
# length. You may open as many tapes as you like.
#
# Your solution is correct when the derivatives of the softmax are y · (1 - y), so that the last two lines agree.

# %%
import minitape as tf

# %%
# TODO
def own_slopes(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
# END

# %%
x = tf.constant([1.0, 2.0, 3.0])
y = tf.nn.softmax(x)
print("own derivatives:", own_slopes(tf.nn.softmax, x))
print("y·(1 - y):      ", y * (1.0 - y))
