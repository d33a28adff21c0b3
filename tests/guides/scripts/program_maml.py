"""Model-agnostic meta-learning on sine waves: gradients through gradient steps."""

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)


def sample_tasks():
    """Each task is a sine wave of its own: five points to learn from, ten to be judged by."""
    generator = np.random.RandomState(3)
    for _ in range(24):
        amplitude, phase = generator.uniform(0.1, 5.0), generator.uniform(0, np.pi)
        x = generator.uniform(-5, 5, size=(15, 1)).astype("float32")
        y = (amplitude * np.sin(x + phase)).astype("float32")
        yield (x[:5], y[:5]), (x[5:], y[5:])


def points(n):
    return tf.TensorSpec((n, 1), tf.float32), tf.TensorSpec((n, 1), tf.float32)


tasks = tf.data.Dataset.from_generator(sample_tasks, output_signature=(points(5), points(10)))
tasks = tasks.batch(4)
print(tasks.element_spec)

shapes = [(1, 24), (24,), (24, 24), (24,), (24, 1), (1,)]
weights = [
    tf.Variable((rng.normal(size=s) / np.sqrt(s[0]) if len(s) == 2 else np.zeros(s)).astype("float32"))
    for s in shapes
]


def forward(x, w):
    h = tf.nn.relu(x @ w[0] + w[1])
    h = tf.nn.relu(h @ w[2] + w[3])
    return h @ w[4] + w[5]


def mse(y, prediction):
    return tf.reduce_mean(tf.square(y - prediction))


def adapt(x, y, rate=0.01, steps=2):
    fast = list(weights)
    for _ in range(steps):
        with tf.GradientTape() as inner:
            inner.watch(fast)
            loss = mse(y, forward(x, fast))
        gradients = inner.gradient(loss, fast)
        fast = [w - rate * g for w, g in zip(fast, gradients)]
    return fast


@tf.function
def meta_step(support, query):
    with tf.GradientTape() as outer:
        losses = []
        for i in range(4):
            fast = adapt(support[0][i], support[1][i])
            losses.append(mse(query[1][i], forward(query[0][i], fast)))
        meta_loss = tf.add_n(losses) / len(losses)
    gradients = outer.gradient(meta_loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return meta_loss, gradients


optimizer = tf.keras.optimizers.Adam(1e-2)
for epoch in range(2):
    for support, query in tasks:
        meta_loss, gradients = meta_step(support, query)
        print("epoch %d: meta loss %.3f" % (epoch, meta_loss))
print([tuple(g.shape) for g in gradients])

# First order: with stop_gradient the inner gradients are constants.
(x, y), (x_query, y_query) = next(iter(tasks.unbatch()))
for first_order in (False, True):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = mse(y, forward(x, weights))
        inner_gradients = inner.gradient(loss, weights)
        if first_order:
            inner_gradients = [tf.stop_gradient(g) for g in inner_gradients]
        fast = [w - 0.05 * g for w, g in zip(weights, inner_gradients)]
        outer_loss = mse(y_query, forward(x_query, fast))
    print(first_order, [round(float(tf.norm(g)), 2) for g in outer.gradient(outer_loss, weights)])

# After the inner tape the adapted weights are other tensors: the variables are not in the second loss.
fast = [tf.Variable(w - 0.05 * g) for w, g in zip(weights, inner_gradients)]
with tf.GradientTape() as outer:
    loss = mse(y_query, forward(x_query, fast))
print(outer.gradient(loss, weights))
