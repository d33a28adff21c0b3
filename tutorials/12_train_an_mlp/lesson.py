# %% [markdown]
# # 12. Train an MLP
#
# You have all the parts: variables, a tape, a gradient. Today they become a program that learns.
# Every training program in the world has the same five pieces: **data, model, loss, gradient,
# update**. Here each of them is a few lines, and nothing is hidden.

# %%
import numpy as np

import minitape as tf

# %% [markdown]
# ## Data
#
# Four points. The answer is 1 if *one* of the two inputs is 1, and 0 if none or both are. It is
# called XOR, and no straight line can separate the ones from the zeros. Draw them, and try.

# %%
x = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = tf.constant([[0.0], [1.0], [1.0], [0.0]])

# %% [markdown]
# ## Model
#
# Two layers. The first computes 4 numbers from 2 and bends each with tanh, and the second computes
# one score from the 4. The model learns four variables: two tables of weights, two biases. They
# start at small random numbers, always the same ones.

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
# One number that says how wrong the model is. A sigmoid turns a score into a probability, and the
# loss is the mean of -log of the probability that was given to the right answer.
#
# **Predict**: a model that knows nothing says 1/2 to everything. What is its loss? (log 2 = 0.693)

# %%
def loss():
    wrong = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=score(x))
    return tf.reduce_mean(wrong)


print(f"first loss: {float(loss()):.2f}")

# %% [markdown]
# ## Gradient
#
# A tape, a target, four sources. Each gradient has the shape of its variable.
#
# **Predict** which layer gets the longer gradient: the first (w1) or the second (w2)? The gradient
# of the first layer has passed through w2, and w2 is small.

# %%
with tf.GradientTape() as tape:
    before = loss()
gradients = tape.gradient(before, parameters)
for name, g in zip(["w1", "b1", "w2", "b2"], gradients):
    print(name, tuple(g.shape), "length", round(float(tf.norm(g)), 3))

# %% [markdown]
# ## Update
#
# Each variable moves a small step *against* its gradient. `assign_sub` changes the variable itself.
#
# **Predict** before you run. The step in each number is rate · g, and the loss changes by g for
# each unit: so it should fall by rate · (the sum of all g²). The first line computes that; what
# will the second line say?

# %%
rate = 0.1
expected = rate * sum(float(tf.reduce_sum(g * g)) for g in gradients)
for variable, g in zip(parameters, gradients):
    variable.assign_sub(rate * g)
fell = float(before) - float(loss())
print(f"expected to fall by {expected:.1e}")
print(f"fell by             {fell:.1e}")

# %% [markdown]
# That is all that learning is: the slope makes a promise, and a small step keeps it. A big step
# may not: a slope holds only *here*.
#
# ## The loop
#
# The same three moves, two hundred times, with bigger steps. The tape is new in every iteration: it
# is the record of *this* forward pass.

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

print("says:  ", [int(p > 0.5) for p in tf.sigmoid(score(x)).numpy()[:, 0]])
print("wanted:", [int(t) for t in y.numpy()[:, 0]])

# %% [markdown]
# ## Who computes gradients?
#
# Programs often end with `optimizer.apply_gradients(...)`, and it looks as if the optimizer had
# computed them. It only subtracts. Here it gets a gradient that nobody computed. There is no tape, no
# loss, no model. **Predict**: what is w afterwards?

# %%
w = tf.Variable(5.0)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
optimizer.apply_gradients([(tf.constant(1.0), w)])
print("w =", round(float(w), 3))

# %% [markdown]
# ## Layers
#
# A Keras layer is two variables and a function. It creates the variables when it first sees data,
# because only then does it know how many inputs there are. **Predict** how many it has before and
# after its first call.

# %%
layer = tf.keras.layers.Dense(3, activation="tanh")
print("before:", len(layer.trainable_variables))
with tf.GradientTape() as tape:
    out = tf.reduce_mean(layer(x) ** 2)
print("after: ", len(layer.trainable_variables))
for variable, g in zip(layer.trainable_variables, tape.gradient(out, layer.trainable_variables)):
    print(variable.name, tuple(variable.shape), "gradient", tuple(g.shape))

# %% [markdown]
# So ask for `trainable_variables` *after* the first call. A list from before the call is
# empty, and a loop over an empty list silently trains nothing.
#
# Look: `minitape graph lesson.py --call 1` draws one step. `minitape html lesson.py -o page.html`
# creates a page in which you can go through all of them.
