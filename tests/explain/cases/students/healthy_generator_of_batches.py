import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
features = rng.normal(size=(12, 3)).astype("float32")
truth = features @ np.array([[1.0], [-2.0], [0.5]], dtype="float32")


def batches(size):
    order = rng.permutation(len(features))
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        yield features[rows], truth[rows]


w = tf.Variable(tf.zeros([3, 1]))
for x, y in batches(4):
    with tf.GradientTape() as tape:
        error = x @ w - y
        loss = tf.reduce_mean(error**2)
    step = 0.1 * tape.gradient(loss, w).numpy()
    w.assign_sub(step)
    print(np.abs(step).max(), np.mean(error))
