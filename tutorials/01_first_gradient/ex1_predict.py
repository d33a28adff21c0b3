# %% [markdown]
# # 1.1 Say it before you run it
#
# The program below computes y = x³ at x = 2 and asks the tape for the slope there.
# Before you run it: which number will the tape give? Type it in place of the dots.

# %%
import minitape as tf

# TODO
slope = ...
# END

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x * x
gradient = tape.gradient(y, x)
