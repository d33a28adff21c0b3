# %% [markdown]
# # Forget it if it is large
#
# A loss has two parts. The first part is 10 w², and the second part is 3 w. Sometimes the first part is
# so large that something must have gone wrong. Then the derivative of the first part must not count.
#
# - If the first part is at most `limit`, return the derivative of the whole loss, 20 w + 3.
# - If the first part is above `limit`, return the derivative of only the second part, 3.
#
# The block below always forgets the first part, and it forgets more than it should. Fix the block
# by calling `tape.reset()` in the right place. Remember that `w` is a constant.

# %%
import minitape as tf


# %%
def slope(w, limit):
    """Return the derivative of the loss with respect to the constant w."""
    # TODO
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = 10.0 * w**2
        if loss > limit:
            tape.reset()
            tape.watch(w)
        loss = loss + 3.0 * w
    return tape.gradient(loss, w)
    # END


# %%
print("small:", slope(tf.constant(1.0), limit=50.0))
print("large:", slope(tf.constant(4.0), limit=50.0))
