# %% [markdown]
# # One output only
#
# f returns several numbers, and we want the slopes of one of them. For all of y, the tape answers
# for the sum.
#
# Fix `slopes_of_one(f, x, k)`: it should return the gradient of entry k of f(x), with the shape of
# x. x is a tensor with one axis, and so is f(x), which may be longer or shorter than x.
#
# It is right when the first line shows 2 0 0 and the second 0 4 0. The third mixes all three
# inputs: 6 3 2.

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
print("by the first entry of x²: ", slopes_of_one(lambda x: x**2, x, 0))
print("by the second entry of x²:", slopes_of_one(lambda x: x**2, x, 1))


def sum_and_product(x):
    return tf.stack([tf.reduce_sum(x), tf.reduce_prod(x)])


print("by the product:           ", slopes_of_one(sum_and_product, x, 1))
