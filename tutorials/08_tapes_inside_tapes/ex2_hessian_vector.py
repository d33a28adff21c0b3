# %% [markdown]
# # How the gradient changes along a direction
#
# You are at `x` and move a little in the direction `v`. How does the gradient change? The answer is the
# Hessian times `v`. For a million weights, the Hessian has a million times a million entries, which is
# too many to store. The product has only a million entries, and two tapes compute it without the Hessian:
#
# > The gradient of the number (gradient · v) is the Hessian times v.
#
# Make `along(f, x, v)` return this product. The code below returns the gradient itself.

# %%
import minitape as tf


# %%
def along(f, x, v):
    """Return how the gradient of f at the variable x changes along v; f returns one number."""
    # TODO
    with tf.GradientTape() as inner:
        y = f(x)
    return inner.gradient(y, x)
    # END


# %%
def bowl(x):
    return x[0] ** 3 + 2.0 * x[0] * x[1]


print("the Hessian at (1, 2) is [[6, 2], [2, 0]]")
print("times (1, 10):", along(bowl, tf.Variable([1.0, 2.0]), tf.constant([1.0, 10.0])))
