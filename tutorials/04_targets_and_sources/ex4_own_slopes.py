# %% [markdown]
# # Each on its own
#
# How does each entry of a softmax move when *its own* input moves? That is the slope of y[i] with
# respect to x[i]. The one-line answer returns zeros, because it is the gradient of the sum.
#
# Fix `own_slopes(f, x)`: it should return a tensor with the slope of f(x)[i] with respect to x[i],
# even for functions in which the entries mix. x and f(x) have one axis of the same length. You may
# open as many tapes as you like.
#
# It is right when the softmax's slopes are y · (1 - y): the two lines at the end agree.

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
print("own slopes:", own_slopes(tf.nn.softmax, x))
print("y·(1 - y): ", y * (1.0 - y))
