# %% [markdown]
# # A target that does not move
# A value is learned from itself: the value of this state should be the reward plus 0.9 times
# the value of the next state. Both are computed from the same w.
#
#     guess = w * 1.5             the value of this state
#     goal  = 1.0 + 0.9 * w * 2   what it should be
#
# The guess should move towards the goal. The goal must not move towards the guess. So we want the
# slope of the loss as if the goal were a plain number. Below, both move.
#
# Change the block so that `slope(w)` leaves the goal where it is.

# %%
import minitape as tf


# %%
def slope(w):
    """The slope of the loss with respect to w, a variable, with the goal held constant."""
    # TODO
    with tf.GradientTape() as tape:
        guess = w * 1.5
        goal = 1.0 + 0.9 * w * 2.0
        loss = (tf.stop_gradient(goal) - guess) ** 2
    # END
    return tape.gradient(loss, w)


# %%
print("slope:", slope(tf.Variable(1.0)))
