# %% [markdown]
# # How the gradient changes, with one tape
#
# In lesson 8, two tapes computed the Hessian times `v`, which is the change of the gradient along `v`. Forward mode
# is made for such a change along a direction. The tape computes the gradient, and the tangent `v` flows through it.
#
# Write `along(f, x, v)` with one tape and one `ForwardAccumulator`. The code below returns the
# gradient. The function `with_two_tapes` is there so that you can compare the results.

# %%
import minitape as tf


def with_two_tapes(f, x, v):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        slope_along_v = tf.reduce_sum(inner.gradient(y, x) * v)
    return outer.gradient(slope_along_v, x)


# %%
def along(f, x, v):
    """Return how the gradient of f at the constant x changes along v; f returns one number."""
    # TODO
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
    # END


# %%
def bowl(x):
    return x[0] ** 3 + 2.0 * x[0] * x[1]


x, v = tf.constant([1.0, 2.0]), tf.constant([1.0, 10.0])
print("two tapes:", with_two_tapes(bowl, x, v))
print("one tape: ", along(bowl, x, v))
