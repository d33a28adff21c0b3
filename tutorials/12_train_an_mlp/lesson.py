# %% [markdown]
# # 12. Train an MLP
#
# You have all the parts: variables, a tape, and a gradient. In this lesson, you combine them into
# a program that learns. Every training program has the same five parts: **data, model, loss,
# gradient, update**. Here, each part has only a few lines, and nothing is hidden.

# %%
import numpy as np

import minitape as tf

# %% [markdown]
# ## Data
#
# There are four points. The answer is 1 if exactly *one* of the two inputs is 1, and 0 otherwise. This function
# is called XOR, and no straight line can separate its ones from its zeros. Draw the four points, and try.

# %%
x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = tf.constant([[0.0], [1.0], [1.0], [0.0]])

# %% [markdown]
# ## Model
#
# The model has two layers. The first layer computes 4 numbers from 2 and applies tanh to each of them.
# The second layer computes one score from the 4 numbers. The model learns four variables: two weight
# matrices and two biases. Their initial values are small random numbers, which are the same in each run.

# %%
start = np.random.RandomState(3)
w1 = tf.Variable(start.normal(size=(2, 4)).astype("float32"))
b1 = tf.Variable(tf.zeros([4]))
w2 = tf.Variable(0.1 * start.normal(size=(4, 1)).astype("float32"))
b2 = tf.Variable(tf.zeros([1]))
parameters = [w1, b1, w2, b2]


def score(x):
    hidden = tf.tanh(x @ w1 + b1)
    return hidden @ w2 + b2


# %% [markdown]
# ## Loss
#
# The loss is one number that measures how wrong the model is. A sigmoid converts a score to a probability,
# and the loss is the mean of -log of the probability that the model assigns to the correct answer.
#
# **Predict**: an untrained model assigns the probability 1/2 to both answers. What is its loss? (log 2 = 0.693)

# %%
def loss():
    wrong = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=score(x))
    return tf.reduce_mean(wrong)


print(f"first loss: {float(loss()):.2f}")

# %% [markdown]
# ## Gradient
#
# You need a tape, a target and four sources. Each gradient has the shape of its variable.
#
# **Predict** which layer has the longer gradient: the first (`w1`) or the second (`w2`). The
# gradient of the first layer has passed through `w2`, and `w2` is small.

# %%
with tf.GradientTape() as tape:
    before = loss()
gradients = tape.gradient(before, parameters)
for name, g in zip(["w1", "b1", "w2", "b2"], gradients):
    print(name, tuple(g.shape), "length", round(float(tf.norm(g)), 3))

# %% [markdown]
# ## Update
#
# Each variable changes by a small step *against* its gradient. `assign_sub` changes the variable itself.
#
# Each number changes by rate · g, and for each unit of this change, the loss changes by g. The
# loss should therefore fall by rate · (the sum of all g²). The first line that the cell prints
# shows this number. **Predict** the second line, which shows by how much the loss really fell.

# %%
rate = 0.1
expected = rate * sum(float(tf.reduce_sum(g * g)) for g in gradients)
for variable, g in zip(parameters, gradients):
    variable.assign_sub(rate * g)
fell = float(before) - float(loss())
print(f"expected to fall by {expected:.1e}")
print(f"fell by             {fell:.1e}")

# This is how a program learns: the gradient predicts how much the loss falls, and for a small
# step, the prediction is accurate. For a large step, it may be wrong, because a gradient
# describes the loss only *near the current point*. There, the loss is almost linear.
#
# ## The loop
#
# The loop repeats these three steps two hundred times, with a larger rate. Each iteration opens a
# new tape, because a tape is the record of *this* forward pass.

# %%
rate = 0.5
for step in range(201):
    with tf.GradientTape() as tape:
        now = loss()
    gradients = tape.gradient(now, parameters)
    for variable, g in zip(parameters, gradients):
        variable.assign_sub(rate * g)
    if step % 40 == 0:
        length = float(tf.linalg.global_norm(gradients))
        print(f"step {step:3}  loss {float(now):.2f}  length of the gradient {length:.2f}")

print("model: ", [int(p > 0.5) for p in tf.sigmoid(score(x)).numpy()[:, 0]])
print("target:", [int(t) for t in y.numpy()[:, 0]])

# %% [markdown]
# ## What computes the gradients?
#
# Programs often end with `optimizer.apply_gradients(...)`, and it looks as if the optimizer had
# computed the gradients. But the optimizer only subtracts them. Here, it receives a gradient that was
# never computed: there is no tape, no loss and no model. **Predict** the value of `w` after this call.

# %%
w = tf.Variable(5.0)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
optimizer.apply_gradients([(tf.constant(1.0), w)])
print("w =", round(float(w), 3))

# %% [markdown]
# ## Layers
#
# This Keras layer consists of two variables and a function. The layer creates its variables when
# you first call it, because only then does it know the number of inputs. **Predict** how many
# variables it has before and after its first call.

# %%
layer = tf.keras.layers.Dense(3, activation="tanh")
print("before:", len(layer.trainable_variables))
with tf.GradientTape() as tape:
    out = tf.reduce_mean(layer(x) ** 2)
print("after: ", len(layer.trainable_variables))
for variable, g in zip(layer.trainable_variables, tape.gradient(out, layer.trainable_variables)):
    print(variable.name, tuple(variable.shape), "gradient", tuple(g.shape))

# Therefore, read `trainable_variables` *after* the first call.
# A list that you read before the call is empty, and a loop
# over an empty list trains nothing, without any error message.
#
# Run `minitape graph lesson.py --call 1`. It draws one step.
# `minitape html lesson.py -o page.html` creates a page on which you can go through all steps.
