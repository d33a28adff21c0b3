# %% [markdown]
# # Two answers in two ways
#
# A loss has an error and a penalty. We want the derivative of each with respect to `w`. The file
# below asks a plain tape twice, which raises an error.
#
# Write the function in two ways. Each version returns `[derivative of the error, derivative of the penalty]`.
#
# - `with_one_tape(w)` uses one persistent tape.
# - `with_two_tapes(w)` uses two plain tapes. Each tape records only what its own answer needs: the tape
#   for the penalty must not record the error, and the tape for the error must not record the penalty.
#
# Your solution is correct when both lines show [18.0, 8.0].

# %%
import minitape as tf


def error_of(w):
    return (3.0 * w - 9.0) ** 2


def penalty_of(w):
    return w**2

# %%
# TODO
def with_one_tape(w):
    with tf.GradientTape() as tape:
        error = error_of(w)
        penalty = penalty_of(w)
    return [tape.gradient(error, w), tape.gradient(penalty, w)]


def with_two_tapes(w):
    return with_one_tape(w)
# END

# %%
w = tf.Variable(4.0)
print("one tape: ", [float(slope) for slope in with_one_tape(w)])
print("two tapes:", [float(slope) for slope in with_two_tapes(w)])
