# %% [markdown]
# # 11. Write the rule yourself
#
# In the backward pass the tape asks every op one question: *the target moves by ȳ if your output moves
# by 1; by how much does it move if your input does?* The answer is the op's **rule**. For y = x²
# the rule is x̄ = ȳ · 2x.
#
# So far all rules were given. Today you write one. Predict the number of each print below, and
# write it down first.

# %%
import minitape as tf


def slope(f, at):
    x = tf.constant(at)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x).numpy()


# %% [markdown]
# ## A true formula, and no number
#
# log(1 + eˣ) is a smooth ramp: flat on the left, slope 1 on the right.
#
# **Predict** its slope at 100. Then run.

# %%
def ramp(x):
    return tf.math.log(1.0 + tf.exp(x))


print("value at 1:  ", round(float(ramp(1.0)), 4))
print("slope at 1:  ", round(float(slope(ramp, 1.0)), 4))
print("slope at 100:", slope(ramp, 100.0))

# %% [markdown]
# e¹⁰⁰ does not fit into a float32: it becomes inf. The log pays 1/inf = 0, the exponential
# multiplies by inf, and 0 · inf is nan. Every rule is right, but together they fail.
#
# `tf.custom_gradient` gives a piece of the program a rule of your own. The function returns
# two things: its value, and the rule. The rule gets ȳ (here `ybar`) and returns what x is owed.

# %%
@tf.custom_gradient
def ramp_with_rule(x):
    e = tf.exp(x)

    def rule(ybar):
        return ybar * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log(1.0 + e), rule


print("slope at 1:  ", round(float(slope(ramp_with_rule, 1.0)), 4))
print("slope at 100:", slope(ramp_with_rule, 100.0))
print("value at 100:", ramp_with_rule(100.0).numpy())

# %% [markdown]
# The slope is fixed. The value is not: a rule concerns derivatives only. In exercise 1 you fix
# both.
#
# Note the factor `ybar`. If your op is the last one of the program, ȳ is 1. If it is in the
# middle, ȳ is whatever the later ops send back. **Predict** the slope of
# 5 · ramp at 100.

# %%
print("five of them:", slope(lambda x: 5.0 * ramp_with_rule(x), 100.0))

# %% [markdown]
# ## A rule that is not a derivative
#
# Nobody checks that your rule is the slope. That can be useful. This op leaves the value as it is
# and clips the gradient that passes through it: at most 0.5. The square before it multiplies by 2x.
#
# **Predict**: without the clip the slope of x² at 2 is 4. With it?

# %%
@tf.custom_gradient
def clip_what_comes_down(x):
    return x, lambda ybar: tf.clip_by_norm(ybar, 0.5)


print("plain:  ", slope(lambda x: x * x, 2.0))
print("clipped:", slope(lambda x: clip_what_comes_down(x * x), 2.0))

# %% [markdown]
# Rounding is a staircase: flat nearly everywhere, so its gradient is None. Networks that compute
# with integers use a *straight-through estimator*: round in the forward pass, act as if nothing had
# happened in the backward pass. **Predict** the slope of round(x)² at 3.7 and at 2.4.

# %%
@tf.custom_gradient
def round_straight_through(x):
    return tf.round(x), lambda ybar: ybar


for at in (3.7, 2.4):
    print("at", at, ":", slope(lambda x: round_straight_through(x) ** 2, at))

# %% [markdown]
# ## where does not protect you
#
# log is not defined at 0, so we do not use it there. **Predict** the slope at 0.

# %%
def log_or_zero(x):
    return tf.where(x > 0.0, tf.math.log(x), 0.0)


print("value at 0:", log_or_zero(tf.constant(0.0)).numpy())
print("slope at 0:", slope(log_or_zero, 0.0))

# %% [markdown]
# `tf.where` computes both branches and then picks. In the backward pass it sends 0 to the branch that
# was not picked. That branch is log, whose rule is ȳ / x, and 0 / 0 is nan.
#
# The cure: keep the bad number out of the log. A second `where`, inside.

# %%
def log_or_zero_safely(x):
    inside = tf.where(x > 0.0, x, 1.0)
    return tf.where(x > 0.0, tf.math.log(inside), 0.0)


print("slope at 0:", slope(log_or_zero_safely, 0.0))
print("slope at 4:", slope(log_or_zero_safely, 4.0))

# %% [markdown]
# ## Is my rule right?
#
# Use the definition: move x a little in each direction and divide: (f(x + h) - f(x - h)) / 2h. Is
# a smaller step h always better?
#
# **Predict**: which of these eight steps gives the best answer? The table shows how far off it
# is, for x³ at 3, in float32 and in float64.

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
# Two errors form one U. With a big step, the curve bends: this error shrinks with h². A small
# step subtracts two numbers that are nearly equal, so what is left is rounding, and it is divided by
# 2h. At 1e-7 a float32 cannot even tell 3 + h from 3.
#
# The best step is near the cube root of the smallest difference that the type can hold: 1e-2 for
# float32, 1e-5 for float64. And look at the bottom of the U: in float32 no step gets below 1e-6.
# So a check in float32 cannot separate a small mistake from rounding. Check in float64.
#
# `minitape check lesson.py` does this for a whole script: it runs the script again in float64, with
# perturbed sources. Run it on this lesson. Three lines say *own rule*. The clip has 2 by tape and 4 by
# differences; the rounding has 8 or 4 by tape and 0 by differences. You intended this. Now you have it in writing.
#
# Look: `minitape graph lesson.py --call 2` draws the ramp at 100, and shows where the nan is born.
# In `minitape trace lesson.py --call 4` the backward pass takes one step where the plain ramp takes
# three.
