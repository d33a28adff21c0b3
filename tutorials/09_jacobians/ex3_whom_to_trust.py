# %% [markdown]
# # When to trust `batch_jacobian`
#
# `batch_jacobian` is correct only if each row of the output comes from its own row of the input, but
# `batch_jacobian` does not check this condition. Your function does: make `can_be_trusted(f, x)`
# return True if `batch_jacobian` is correct for `f` at the batch `x`, and False if it is wrong.
#
# The function `f` takes a constant of shape (rows, n) and returns a tensor of shape (rows, m).

# %%
import minitape as tf


# %%
def can_be_trusted(f, x):
    """Return whether batch_jacobian is correct for f at x."""
    # TODO
    return True
    # END


# %%
def square(x):
    return x * x


def centered(x):
    return x - tf.reduce_mean(x, axis=0)


x = tf.constant([[1.0, 2.0], [3.0, 5.0], [0.0, 4.0]])
print("square: ", can_be_trusted(square, x), "(should be True)")
print("centered:", can_be_trusted(centered, x), "(should be False)")
