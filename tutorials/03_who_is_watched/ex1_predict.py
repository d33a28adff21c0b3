# %% [markdown]
# # Four values that look alike
#
# The program has four sources and one tape. For each source, predict the gradient of `y`: a
# number or None. Then predict how many variables the tape watched.
#
# Your answers are correct when each line shows the same value twice.

# %%
import minitape as tf

# %%
# TODO
by_x0 = ...
by_x1 = ...
by_x2 = ...
by_x3 = ...
how_many_watched = ...
# END

# %%
x0 = tf.Variable(3.0, name="x0")                      # a trainable variable
x1 = tf.Variable(3.0, name="x1", trainable=False)     # a variable that is not trainable
x2 = tf.Variable(2.0, name="x2") + 1.0                # a variable plus one
x3 = tf.constant(3.0, name="x3")                      # a constant

with tf.GradientTape() as tape:
    y = x0**2 + x1**2 + x2**2 + x3**2

slopes = tape.gradient(y, [x0, x1, x2, x3])
watched = [variable.name for variable in tape.watched_variables()]

said = [by_x0, by_x1, by_x2, by_x3, how_many_watched]
if any(each is ... for each in said):
    print("enter your five answers first")
else:
    told = [None if slope is None else float(slope) for slope in slopes]
    for name, yours, its in zip(["x0", "x1", "x2", "x3"], said, told):
        print("with respect to", name, "you said", yours, "and the tape says", its)
    print("watched: you said", how_many_watched, "and the tape says", len(watched), watched)
