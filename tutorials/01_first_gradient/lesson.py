# %% [markdown]
# # 1. Your first gradient
#
# A gradient answers one question: if I move this number a little, how much does that one move?
# A tape finds the answer in three moves: it writes down what you compute (the `with` block), you
# name the result you care about (the *target*) and what you want to move (the *source*), and it
# reads its notes backwards.
#
# No formula is derived anywhere. The tape knows only the ops that really ran, with the numbers
# that really went through them.

# %%
import minitape as tf

# %% [markdown]
# A constant is watched only if you ask for it. y = x², so the slope at x is 2x; at 3 that is 6.

# %%
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print("y =", y.numpy())
print("dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# A variable is meant to be changed, so a tape watches it by itself.

# %%
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
print("with a variable, dy/dx =", tape.gradient(y, x).numpy())

# %% [markdown]
# Is it right? Do what the word slope says: move x a little and see how far y goes.

# %%
step = 0.001
rise = (3.0 + step) ** 2 - (3.0 - step) ** 2
print("by hand:", round(rise / (2 * step), 6))

# %% [markdown]
# Now look at it: `minitape trace lesson.py` prints what was written down and what flowed back;
# `minitape graph lesson.py` draws it.
#
# Predict, then try: what is the gradient of x³ at 3? Of 5x? Of 7?
