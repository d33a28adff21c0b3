# %% [markdown]
# # One output only
#
# The function `f` returns several numbers, and we want the gradient of only one of them. If the
# target is all of `y`, the tape returns the gradient of the sum.
#
# Fix `slopes_of_one(f, x, k)`. It should return the gradient of entry k of `f(x)`, in the shape of
# `x`. Both `x` and `f(x)` are tensors with one axis, and `f(x)` may be longer or shorter than `x`.
#
# Your solution is correct when the first line shows 2 0 0 and the second line shows 0 4 0. The
# third line mixes all three inputs and shows 6 3 2.

# %%
import minitape as tf

# %%
# TODO
def slopes_of_one(f, x, k):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    only_k = tf.one_hot(k, y.shape[0])
    return tape.gradient(y, x, output_gradients=only_k)
# END

# %%
x = tf.constant([1.0, 2.0, 3.0])
print("of the first entry of x²: ", slopes_of_one(lambda x: x**2, x, 0))
print("of the second entry of x²:", slopes_of_one(lambda x: x**2, x, 1))


def sum_and_product(x):
    return tf.stack([tf.reduce_sum(x), tf.reduce_prod(x)])


print("of the product:           ", slopes_of_one(sum_and_product, x, 1))
