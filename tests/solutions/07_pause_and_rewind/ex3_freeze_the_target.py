# %% [markdown]
# # A target that does not move
#
# A value is learned from itself: what a place is worth now should be the reward plus 0.9 times
# what the next place is worth. Both are computed from the same w.
#
#     guess = w * 1.5             the worth of this place
#     goal  = 1.0 + 0.9 * w * 2   what it should be
#
# The guess is to move towards the goal. The goal must not move towards the guess. So the slope of
# the loss is wanted as if the goal were a plain number. Below, both move.
#
# Change the block, so that `slope(w)` leaves the goal where it is.

# %%
import minitape as tf


# %%
def slope(w):
    """The slope of the loss with respect to w, a variable, with the goal standing still."""
    # TODO
    with tf.GradientTape() as tape:
        guess = w * 1.5
        goal = 1.0 + 0.9 * w * 2.0
        loss = (tf.stop_gradient(goal) - guess) ** 2
    # END
    return tape.gradient(loss, w)


# %%
print("slope:", slope(tf.Variable(1.0)))
