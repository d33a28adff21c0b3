# %% [markdown]
# # 1. Your first gradient
#
# A gradient answers one question: if I move this number a little, how much does that one move?
#
# A gradient tape finds the answer in three steps. It writes down what you compute (the `with`
# block). You name the result that you care about, the *target*, and the number that you could
# move, the *source*. Then it reads its notes backwards.

# %%
import minitape as tf

# %% [markdown]
# ## See
#
# The target is y = x². From calculus you know its slope: 2x. At x = 3 that is 6.
#
# x is a constant here, and constants do not move. `tape.watch` says: this one might.

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print("y =", y.numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# A variable is meant to change. A tape watches it without being asked, so one line is gone.

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print("with a variable, dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# ## Check it by hand
#
# Never believe a slope that you can measure. Move x a little in each direction and see how far y
# moves: rise over run.

# %%
step = 0.001
rise = (3.0 + step) ** 2 - (3.0 - step) ** 2
print("by hand:", round(rise / (2 * step), 6))

# %% [markdown]
# ## Look
#
# In a terminal, in the folder of this lesson, type
#
#     minitape doctor                (is everything installed?)
#     minitape run lesson.py         (what it prints, and how much its tapes recorded)
#     minitape trace lesson.py       (what was recorded, and what flowed back)
#     minitape graph lesson.py --view both -o tape.svg     (the same as a picture)
#
# In the picture, values go from x to y. The gradient comes back, from y to x, along the same
# lines. picture.svg, next to this lesson, shows the first tape.

# %% [markdown]
# ## Predict
#
# Say the number before you run the cell: what is the slope of x³ + 5x at x = 2?

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x**3 + 5.0 * x
print("slope of x³ + 5x at 2:", tape.gradient(y, x).numpy())

# %% [markdown]
# 3·2² + 5 = 17. The + 7 in x³ + 5x + 7 would change nothing, because it does not move when x moves.

# %% [markdown]
# ## There is no formula
#
# You took the derivative with rules for formulas. It is tempting to think that the tape does so
# too: that it reads your code, finds x³ + 5x, and derives 3x² + 5. It does not. It never sees
# your code. It sees the ops that run (an op is one step on numbers: a +, a *, a sine), one by one,
# with the numbers that go through them.
#
# Here is a function for which you would not like to write a formula. It halves its input until
# the rest is at most 1.

# %%
def halve(x):
    while x > 1.0:
        x = x / 2.0
    return x

# %% [markdown]
# At 3 it halves twice: y = x / 4. At 5 it halves three times. Predict both slopes.

# %%
for start in (3.0, 5.0):
    x = tf.Variable(start)
    with tf.GradientTape() as tape:
        y = halve(x)
    print("slope of halve at", start, "is", tape.gradient(y, x).numpy())

# %% [markdown]
# 1/4 and 1/8. The `while` belongs to Python, and the tape does not see it. The tape wrote down
# two divisions for the first start and three for the second; each has a slope of 1/2.
#
# ## What to take home
#
# - Target, tape, source: `tape.gradient(target, source)`.
# - The answer is a number for *this* x, not a formula for all of them.
# - The tape differentiates what ran.
#
# Three exercises are waiting: `minitape lesson run 01/ex1`.
