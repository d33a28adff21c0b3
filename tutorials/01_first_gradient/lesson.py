# %% [markdown]
# # 1. Your first gradient
#
# A gradient answers one question: if I change this number a little, how much does that one change?
#
# A gradient tape finds the answer in three steps. First, it records what you compute in the
# `with` block. Next, you name the result that you care about, the *target*, and the number that
# you could change, the *source*. Then the tape reads its record backwards.

# %%
import minitape as tf

# %% [markdown]
# ## See
#
# The target is `y = x²`. You know its slope, the derivative, from calculus: 2x. At `x = 3` it is 6.
#
# Here, `x` is a constant, and constants do not change. `tape.watch(x)` says that this one might.

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print("y =", y.numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# A variable is meant to change, so a tape watches it automatically. You no longer need `watch`.

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print("with a variable, dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# ## Check it by hand
#
# Whenever you can measure a slope, measure it. Change `x` a little in each direction and see how
# much `y` changes. The slope is rise over run.

# %%
step = 0.001
rise = (3.0 + step) ** 2 - (3.0 - step) ** 2
print("by hand:", round(rise / (2 * step), 6))

# %% [markdown]
# ## Look
#
# In a terminal, go to the folder of this lesson and type these commands:
#
#     minitape doctor                (is everything installed?)
#     minitape run lesson.py         (what it prints, and how much its tapes recorded)
#     minitape trace lesson.py       (what was recorded, and what flowed back)
#     minitape graph lesson.py --view both -o tape.svg     (the same as a picture)
#
# In the picture, values go from `x` to `y`. The gradient goes from `y` back to `x`, along the
# same lines. The file `picture.svg`, next to this lesson, shows the first tape.

# %% [markdown]
# ## Predict
#
# Say the number before you run the cell. What is the slope of x³ + 5x at `x = 2`?

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x**3 + 5.0 * x
print("slope of x³ + 5x at 2:", tape.gradient(y, x).numpy())

# %% [markdown]
# 3·2² + 5 = 17. In x³ + 5x + 7, the + 7 would not affect the slope, because 7 does not depend on `x`.

# %% [markdown]
# ## There is no formula
#
# You took the derivative with rules for formulas. It is tempting to think that the tape does the
# same: that it reads your code, finds x³ + 5x, and derives 3x² + 5. But the tape never sees your
# code. It sees only the ops that run, one by one, and their numbers. An op is one operation on
# numbers, such as an addition, a multiplication or a sine.
#
# Here is a function that is hard to write as a formula. It
# halves its input until the result is at most 1.

# %%
def halve(x):
    while x > 1.0:
        x = x / 2.0
    return x

# %% [markdown]
# At 3, the function halves twice: `y = x / 4`. At 5, it halves three times. Predict both slopes.

# %%
for start in (3.0, 5.0):
    x = tf.Variable(start)
    with tf.GradientTape() as tape:
        y = halve(x)
    print("slope of halve at", start, "is", tape.gradient(y, x).numpy())

# %% [markdown]
# They are 1/4 and 1/8. The `while` belongs to Python, so the tape does not see it. The tape recorded
# two divisions for the first start and three for the second. Each division has a slope of 1/2.
#
# ## What to take home
#
# - You ask for a gradient with `tape.gradient(target, source)`.
# - The answer is a number for *this* `x`, not a formula for every `x`.
# - The tape differentiates the ops that ran.
#
# Three exercises are waiting. Start with `minitape lesson run 01/ex1`.
