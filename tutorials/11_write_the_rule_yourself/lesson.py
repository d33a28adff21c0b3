# %% [markdown]
# # 11. Write the rule yourself
#
# In the backward pass, the tape asks each op one question: *if a change of your output by 1
# changes the target by ȳ, by how much does a change of your input by 1 change the target?* The
# answer is the **rule** of the op. For y = x², the rule is x̄ = ȳ · 2x.
#
# So far, TensorFlow provided all the rules. In this lesson, you write a rule yourself. Before you
# run a cell, predict the number that it prints, and write your prediction down.

# %%
import minitape as tf


def slope(f, at):
    x = tf.constant(at)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x).numpy()


# %% [markdown]
# ## A correct formula that fails
#
# log(1 + eˣ) is a smooth ramp: it is flat on the left, and its derivative approaches 1 on the right.
#
# **Predict** the derivative at 100. Then run the cell.

# %%
def ramp(x):
    return tf.math.log(1.0 + tf.exp(x))


print("value at 1:       ", round(float(ramp(1.0)), 4))
print("derivative at 1:  ", round(float(slope(ramp, 1.0)), 4))
print("derivative at 100:", slope(ramp, 100.0))

# %% [markdown]
# e¹⁰⁰ does not fit into a float32, so it becomes inf. In the backward pass, the log sends 1/inf = 0, the
# exponential multiplies this 0 by inf, and 0 · inf is NaN. Each rule alone is correct, but together they fail.
#
# `tf.custom_gradient` gives a part of the program your own rule. The decorated function returns two things:
# its value, and the rule. The rule receives ȳ (here `ybar`) and returns x̄, the cotangent of its input.

# %%
@tf.custom_gradient
def ramp_with_rule(x):
    e = tf.exp(x)

    def rule(ybar):
        return ybar * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log(1.0 + e), rule


print("derivative at 1:  ", round(float(slope(ramp_with_rule, 1.0)), 4))
print("derivative at 100:", slope(ramp_with_rule, 100.0))
print("value at 100:     ", ramp_with_rule(100.0).numpy())

# %% [markdown]
# The derivative is now correct, but the value is not, because
# a rule affects only derivatives. In exercise 1, you fix both.
#
# Note the factor `ybar`. If your op is the last op of the program, ȳ
# is 1. If your op is in the middle, ȳ is the cotangent that the
# later ops send back. **Predict** the derivative of 5 · ramp at 100.

# %%
print("five times the ramp:", slope(lambda x: 5.0 * ramp_with_rule(x), 100.0))

# %% [markdown]
# ## A rule that is not a derivative
#
# Nothing checks that your rule is the derivative. This can be useful. The following op leaves the value unchanged
# and clips the gradient that passes through it to at most 0.5. The square before it multiplies the gradient by 2x.
#
# **Predict**: without the clip, the derivative of x² at 2 is 4. What is the result with the clip?

# %%
@tf.custom_gradient
def clip_what_comes_down(x):
    return x, lambda ybar: tf.clip_by_norm(ybar, 0.5)


print("plain:  ", slope(lambda x: x * x, 2.0))
print("clipped:", slope(lambda x: clip_what_comes_down(x * x), 2.0))

# %% [markdown]
# Rounding is a step function. It is flat nearly everywhere, so its gradient is None. Networks that
# compute with integers use a *straight-through estimator*: it rounds in the forward pass and acts
# as the identity in the backward pass. **Predict** the derivative of round(x)² at 3.7 and at 2.4.

# %%
@tf.custom_gradient
def round_straight_through(x):
    return tf.round(x), lambda ybar: ybar


for at in (3.7, 2.4):
    print("at", at, ":", slope(lambda x: round_straight_through(x) ** 2, at))

# %% [markdown]
# ## `tf.where` does not protect you
#
# The log is not defined at 0, so this function does not use the log there. **Predict** the derivative at 0.

# %%
def log_or_zero(x):
    return tf.where(x > 0.0, tf.math.log(x), 0.0)


print("value at 0:", log_or_zero(tf.constant(0.0)).numpy())
print("derivative at 0:", slope(log_or_zero, 0.0))

# %% [markdown]
# `tf.where` computes both branches and then selects one for each element. In the backward pass, it sends 0
# to the branch that was not selected. Here, this branch is the log, whose rule is ȳ / x, and 0 / 0 is NaN.
#
# The cure is to keep the bad number out of the log, with a second `tf.where` inside.

# %%
def log_or_zero_safely(x):
    inside = tf.where(x > 0.0, x, 1.0)
    return tf.where(x > 0.0, tf.math.log(inside), 0.0)


print("derivative at 0:", slope(log_or_zero_safely, 0.0))
print("derivative at 4:", slope(log_or_zero_safely, 4.0))

# %% [markdown]
# ## Is my rule right?
#
# To check a rule, use the definition: change x a little in each direction, and compute
# (f(x + h) - f(x - h)) / 2h. Is a smaller step h always better?
#
# **Predict** which of the following eight steps comes closest to the derivative. The output shows
# the relative error for x³ at 3, in float32 and in float64.

# %%
def off(h, dtype):
    x, h = tf.constant(3.0, dtype), tf.constant(h, dtype)
    right, left = x + h, x - h
    estimate = (right * right * right - left * left * left) / (2.0 * h)
    return abs(float(estimate) - 27.0) / 27.0


print("step     float32  float64")
for k in range(1, 9):
    h = 10.0**-k
    print(f"{h:.0e}    {off(h, tf.float32):.0e}    {off(h, tf.float64):.0e}")

# %% [markdown]
# Two errors together have the shape of a U. If the step is large, the curvature causes an error, which
# shrinks with h². If the step is small, you subtract two numbers that are nearly equal. What remains is
# mostly rounding error, and you divide it by 2h. At 1e-7, a float32 cannot even distinguish 3 + h from 3.
#
# The best step is near the cube root of the relative precision of the dtype: 1e-2 for float32, and
# 1e-5 for float64. Also look at the bottom of the U: in float32, no step has an error below 1e-6. A
# check in float32 therefore cannot distinguish a small mistake from rounding errors. Check in float64.
#
# `minitape check lesson.py` checks a whole script: it runs the script again in float64, with perturbed sources. Run
# it on this lesson. Three lines say *own rule*. For the clip, the tape returns 2, but the check measures 4. For the
# rounding, the tape returns 8 or 4, but the check measures 0. You intended both, and now you have a record of it.
#
# Run `minitape graph lesson.py --call 2`. It draws the ramp at 100 and shows where the NaN first
# occurs. In the output of `minitape trace lesson.py --call 4`, the backward pass takes one step,
# where the plain ramp takes three.
