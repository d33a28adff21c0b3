# %% [markdown]
# # Say it before you run it
#
# Below, a tape computes three slopes. *Before* you run this file, replace the three dots with
# your numbers. Work them out in your head or on paper, without code.
#
# 1. `square_at_3`: the slope of x · x at `x = 3`
# 2. `square_at_minus_4`: the slope of x · x at `x = -4`
# 3. `line_at_3`: the slope of 5x + 7 at `x = 3`
#
# Your answers are correct when each line shows the same number twice.

# %%
import minitape as tf

# %%
# TODO
square_at_3 = ...
square_at_minus_4 = ...
line_at_3 = ...
# END

# %%
def square(x):
    return x * x


def line(x):
    return 5.0 * x + 7.0


def slope(f, at):
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.gradient(y, x)


def compare(what, said, told):
    if said is ...:
        print(what, "- enter your number first")
    else:
        print(what, "- you said", said, "and the tape says", told.numpy())


slope_1 = slope(square, 3.0)
slope_2 = slope(square, -4.0)
slope_3 = slope(line, 3.0)

compare("x·x at 3", square_at_3, slope_1)
compare("x·x at -4", square_at_minus_4, slope_2)
compare("5x + 7 at 3", line_at_3, slope_3)
