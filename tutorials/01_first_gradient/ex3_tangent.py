# %% [markdown]
# # The tangent
#
# The tangent of `f` at a point touches `f` there and has the same slope as `f`. It is the line
#
#     slope · x + intercept
#
# Write `tangent(f, at)`, which returns two numbers, `slope` and `intercept`. The function `f`
# takes a tensor and returns a tensor. The point `at` is a Python number.
#
# Use a tape to find the slope, so that your code works for any `f`. Then find the intercept: the
# line goes through the point `(at, f(at))`.
#
# Your solution is correct when the tangent of x² at 3 is printed as 6.0 · x + -9.0.

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
