# %% [markdown]
# # Forget it if it is large
#
# A loss in two parts. The first part is 10 w², the second part 3 w. Sometimes the first part is
# so large that something must have gone wrong. Then its slope must not count.
#
# - if the first part is at most `limit`: the slope of the whole loss, 20 w + 3;
# - if it is above: the slope of the second part only, 3.
#
# The block below always forgets, and forgets more than it should. Fix it with `tape.reset()` in
# the right place. Remember that w is a constant.

# %%
import minitape as tf


# %%
def slope(w, limit):
    """The slope of the loss with respect to the constant w."""
    # TODO
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = 10.0 * w**2
        tape.reset()
        loss = loss + 3.0 * w
    return tape.gradient(loss, w)
    # END


# %%
print("small:", slope(tf.constant(1.0), limit=50.0))
print("large:", slope(tf.constant(4.0), limit=50.0))
