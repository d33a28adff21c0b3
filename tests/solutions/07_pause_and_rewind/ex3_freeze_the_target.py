# %% [markdown]
# # A target that does not move
# The program learns a value from itself: the value of this state should be the reward plus 0.9
# times the value of the next state. Both values are computed from the same `w`.
#
#     guess = w * 1.5             the value of this state
#     goal  = 1.0 + 0.9 * w * 2   what it should be
#
# The guess should move towards the goal, but the goal must not move towards the guess. We therefore
# want the derivative of the loss as if the goal were a plain number. In the code below, both move.
#
# Change the block so that `slope(w)` treats the goal as a constant.

# %%
import minitape as tf


# %%
def slope(w):
    """Return the derivative of the loss with respect to w, a variable, with the goal held constant."""
    # TODO
    with tf.GradientTape() as tape:
        guess = w * 1.5
        goal = 1.0 + 0.9 * w * 2.0
        loss = (tf.stop_gradient(goal) - guess) ** 2
    # END
    return tape.gradient(loss, w)


# %%
print("slope:", slope(tf.Variable(1.0)))
