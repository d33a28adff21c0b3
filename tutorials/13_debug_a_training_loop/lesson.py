# %% [markdown]
# # 13. Debug a broken training loop
#
# "The loss falls, so it works." This lesson has a loop whose loss falls, although the loop does
# not work. Such programs are expensive: they run overnight, and the result is slightly wrong.
#
# First, you learn to ask three questions about a loop. Then you repair a program with seven faults.

# %%
import numpy as np

import minitape as tf

x = tf.constant([[0.0], [1.0], [2.0], [3.0]])
y = 3.0 * x + 2.0  # the model should learn a weight of 3 and a bias of 2

# %% [markdown]
# ## The loss falls
#
# The model has one weight and one bias, and the loop makes ten steps. The points lie on a line, so the best possible
# loss is 0. **Predict** whether ten steps bring the loss close to 0. First read the two lines of the update.

# %%
def train(steps, rate=0.05):
    """Return the loss and the two gradients of each step."""
    w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
    history = []
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b - y) ** 2)
        dw, db = tape.gradient(loss, [w, b])
        if dw is not None:  # without this test, None raised an error here
            w = w - rate * dw
        b.assign_sub(rate * db)
        history.append((float(loss), dw, db))
    return history


history = train(10)
print("loss:", [round(loss, 2) for loss, dw, db in history])

# %% [markdown]
# The loss falls from 53 to 6 and keeps falling, so it seems that the model learns. Run the loop
# longer. **Predict** the loss after a hundred steps.

# %%
print("after 100 steps:", round(train(100)[-1][0], 2))

# %% [markdown]
# The loss no longer falls. After ten steps, you could not see this problem.
#
# ## First question: does each variable get a gradient in each step?
#
# The cell prints one character for each step: `x` for a gradient, and `N` for None. **Predict** both rows.

# %%
print("w", "".join("N" if dw is None else "x" for loss, dw, db in history))
print("b", "".join("N" if db is None else "x" for loss, dw, db in history))

# %% [markdown]
# `w` learned only once. `w = w - ...` gives the name to a new tensor, and no tape watches a tensor
# automatically. From the second step on, only the bias learns, and this is why the loss fell.
#
# Someone had already noticed the None: the line `if dw is not None` was added to suppress the error.
#
# ## Second question: is a zero a real zero?
#
# There is a more convenient way to suppress a None: you can ask for zeros. **Predict** the number that
# the cell prints for this loss, which NumPy computes. What would you think if you saw only this number?

# %%
w = tf.Variable(3.0)
for unconnected in ("none", "zero"):
    with tf.GradientTape() as tape:
        loss = tf.constant(np.square(w.numpy() - 5.0))
    print(unconnected, "->", tape.gradient(loss, w, unconnected_gradients=unconnected))

# %% [markdown]
# A zero means that the target does not change here. None means that there is no recorded path. If
# you replace None with zero, the loop looks correct in every step.
#
# ## Third question: does each variable change?
#
# You do not need a tape for this question. Copy the values before the step, and compare them after the step. This
# finds two problems that the other questions miss: a variable that is not in the list, and a step of size zero.

# %%
w, b, forgotten = tf.Variable([[0.0]]), tf.Variable([0.0]), tf.Variable([1.0])
before = [v.numpy().copy() for v in (w, b, forgotten)]
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(((x @ w + b) * forgotten - y) ** 2)
for v, g in zip([w, b], tape.gradient(loss, [w, b])):
    v.assign_sub(0.1 * g)
for name, v, was in zip(["w", "b", "forgotten"], (w, b, forgotten), before):
    print(name, "changed" if np.any(v.numpy() != was) else "did NOT change")

# %% [markdown]
# ## The cure
#
# The cure is a single line. **Predict** the loss after 300 steps, and the values of `w` and `b`.

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
# ## The seven mistakes
#
# In the exercise, you meet seven mistakes at once. You already know each of them:
#
# | the mistake | what the tape sees | lesson |
# | --- | --- | --- |
# | the program assigns a new tensor to the name of a variable | from step 2 on, a tensor that it does not watch | 6 |
# | NumPy computes the loss | a constant | 6 |
# | the program creates a variable from integers | nothing, because integers are not differentiable | 6 |
# | the forward pass runs before the tape is open | constants | 2, 6 |
# | the loss counts results of `argmax` | a step function, which is flat almost everywhere | 6 |
# | every call creates a new variable | a different variable from yours | 3, 6 |
# | the program replaces None with zero | the same as before, but you no longer see the None | 6 |
#
# Run `minitape explain lesson.py`. It answers the first question for every variable and every step, and draws
# the row of `w` that you printed. `minitape graph lesson.py --call 2` shows that `w` has no connection in the
# second step. On the page that `minitape html lesson.py -o page.html` creates, you can go through the steps.
