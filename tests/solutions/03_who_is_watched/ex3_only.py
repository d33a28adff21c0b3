# %% [markdown]
# # Watch only one variable
#
# This time, you want a gradient to be None. Write `slopes(x0, x1)` so that its tape watches `x1`
# and nothing else, although `x0` and `x1` are both variables and both are used:
#
# - The gradient with respect to `x1` is the derivative of softplus (0.99995 at `x1 = 10`).
# - The gradient with respect to `x0` is None, because the tape does not watch `x0`.
#
# Change how the tape is opened. Do not change how `y` is computed or what `slopes` returns.
#
# Your solution is correct when the file prints None and 0.99995.

# %%
import minitape as tf

# %%
# TODO
def slopes(x0, x1):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x1)
        y = tf.reduce_sum(tf.math.sin(x0) + tf.nn.softplus(x1))
    return tape.gradient(y, {"x0": x0, "x1": x1})
# END

# %%
x0 = tf.Variable(0.0)
x1 = tf.Variable(10.0)
answer = slopes(x0, x1)
for name in ("x0", "x1"):
    print(name, None if answer[name] is None else round(float(answer[name]), 5))
