# %% [markdown]
# # Which variables are on the list?
#
# The program has five variables and one tape. Which variables does the tape watch by the end of
# the block? Write a list of their names, in alphabetical order.
#
# Your answer is correct when the two printed lines are the same.

# %%
import minitape as tf

# %%
# TODO
on_the_list = ["a", "d", "e"]
# END

# %%
a = tf.Variable(1.0, name="a")
b = tf.Variable(2.0, name="b")
c = tf.Variable(3.0, name="c", trainable=False)
d = tf.Variable(4.0, name="d")
e = tf.Variable(5.0, name="e")


def bend(value):
    return value * e * e              # reads e when it is called


before = b + 1.0                      # read before the tape is opened

with tf.GradientTape() as tape:
    y = a * before                    # reads a, and a tensor
    y = y + c                         # reads c
    unused = d * 0.0                  # reads d, although the result is not used
    y = bend(y)

found = sorted(variable.name.split(":")[0] for variable in tape.watched_variables())

if on_the_list is ...:
    print("enter your names first")
else:
    print("you said     ", on_the_list)
    print("the tape says", found)
