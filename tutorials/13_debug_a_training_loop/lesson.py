# %% [markdown]
# # 13. Debug a broken training loop
#
# "The loss falls, so it works." Here is a loop whose loss falls, and that does not work. Such
# programs are the expensive ones: they run for a night, and the result is slightly wrong.
#
# Today you learn to ask a loop three questions. Then you get one with seven faults.

# %%
import numpy as np

import minitape as tf

x = tf.constant([[0.0], [1.0], [2.0], [3.0]])
y = 3.0 * x + 2.0  # what the model should learn: a slope of 3, and a height of 2

# %% [markdown]
# ## It falls
#
# One weight, one bias, ten steps. **Predict**: the best possible loss is 0, since the points lie
# on a line. Will ten steps bring it near? Read the two lines of the update before you run.

# %%
def train(steps, rate=0.05):
    """The loss and the two gradients of each step."""
    w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
    history = []
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b - y) ** 2)
        dw, db = tape.gradient(loss, [w, b])
        if dw is not None:  # it complained about None here
            w = w - rate * dw
        b.assign_sub(rate * db)
        history.append((float(loss), dw, db))
    return history


history = train(10)
print("loss:", [round(loss, 2) for loss, dw, db in history])

# %% [markdown]
# From 53 down to 6, and falling: it learns. Let it run longer. **Predict** the loss after a hundred
# steps.

# %%
print("after 100 steps:", round(train(100)[-1][0], 2))

# %% [markdown]
# It is stuck. After ten steps you could not see that.
#
# ## First question: does each variable get a gradient, in each step?
#
# One character for each step: `x` for a gradient, `N` for None. **Predict** both rows.

# %%
print("w", "".join("N" if dw is None else "x" for loss, dw, db in history))
print("b", "".join("N" if db is None else "x" for loss, dw, db in history))

# %% [markdown]
# w learned once. `w = w - ...` gives the name to a new tensor, and no tape watches a tensor
# automatically. From the second step on the bias learns alone: that is why the loss fell.
#
# And somebody had noticed the None. The line `if dw is not None` turned the alarm off.
#
# ## Second question: is a zero a zero?
#
# A friendlier way to turn it off: ask for zeros. **Predict** the printed number for this detour
# through NumPy, and what you would think if you saw only that number.

# %%
w = tf.Variable(3.0)
for unconnected in ("none", "zero"):
    with tf.GradientTape() as tape:
        loss = tf.constant(np.square(w.numpy() - 5.0))
    print(unconnected, "->", tape.gradient(loss, w, unconnected_gradients=unconnected))

# %% [markdown]
# A zero says: the target does not change here. None says: there is no recorded path. If
# you replace None by zero, the loop looks healthy at every step.
#
# ## Third question: does each variable move?
#
# This question needs no tape. Copy the values before the step and compare afterwards. It
# finds what the other two miss: a variable that is not in the list, or a step of size zero.

# %%
w, b, forgotten = tf.Variable([[0.0]]), tf.Variable([0.0]), tf.Variable([1.0])
before = [v.numpy().copy() for v in (w, b, forgotten)]
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(((x @ w + b) * forgotten - y) ** 2)
for v, g in zip([w, b], tape.gradient(loss, [w, b])):
    v.assign_sub(0.1 * g)
for name, v, was in zip(["w", "b", "forgotten"], (w, b, forgotten), before):
    print(name, "moved" if np.any(v.numpy() != was) else "did NOT move")

# %% [markdown]
# ## The cure
#
# One line. **Predict** the loss after 300 steps, and w and b.

# %%
w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
for step in range(300):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - y) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.05 * dw)
    b.assign_sub(0.05 * db)
print(f"loss {float(loss):.4f}  w {w.numpy().item():.2f}  b {b.numpy().item():.2f}")

# %% [markdown]
# ## The seven
#
# In the exercise you meet seven faults at once. You know each of them:
#
# | the mistake | what the tape sees | lesson |
# | --- | --- | --- |
# | a name was given to a new tensor | a tensor that it does not watch, from step 2 on | 6 |
# | the loss was computed by NumPy | a constant | 6 |
# | a variable was created from integers | nothing: they are not differentiable | 6 |
# | the forward pass ran before the tape | constants | 2, 6 |
# | the loss counts the results of argmax | a staircase, flat everywhere | 6 |
# | every call creates a new variable | another variable than yours | 3, 6 |
# | None was replaced by zero | the same, but you no longer see it | 6 |
#
# Look: `minitape explain lesson.py` answers the first question for every variable and every step,
# and draws the row of w that you printed. `minitape graph lesson.py --call 2` shows the second
# step: w has no connection. `minitape html lesson.py -o page.html` lets you walk through the steps.
