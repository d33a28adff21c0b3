# %% [markdown]
# # The tangent
#
# The tangent of f at a point touches f there, and has its slope. It is the line
#
#     slope · x + intercept
#
# Write `tangent(f, at)`, which returns the two numbers (slope, intercept). f is a function that
# takes a tensor and returns a tensor; `at` is a Python number.
#
# Let a tape find the slope, so that it works for any f. Then find the intercept: the line goes
# through the point (at, f(at)).
#
# It is right when the tangent of x² at 3 is printed as 6.0 · x + -9.0.

# %%
import minitape as tf

# %%
# TODO
def tangent(f, at):
    slope = 0.0
    intercept = 0.0
    return slope, intercept
# END

# %%
def show(name, line):
    slope, intercept = (None if each is None else float(each) for each in line)
    print(name, slope, "· x +", intercept)


show("the tangent of x² at 3:", tangent(lambda x: x * x, 3.0))
show("the tangent of exp(-x) at 0:", tangent(lambda x: tf.exp(-x), 0.0))
