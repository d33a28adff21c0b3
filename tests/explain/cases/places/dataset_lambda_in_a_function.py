import numpy as np
import tensorflow as tf

scale = tf.Variable([1.0, 1.0], name="scale")
w = tf.Variable([[0.3], [0.4]], name="w")


def batches(x, y, size):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    data = data.map(lambda row, goal: (row * scale, goal))
    return data.shuffle(16, seed=4).batch(size)


def train(data, rate=0.05):
    for row, goal in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((row @ w - goal) ** 2)
        for variable, grad in zip([w, scale], tape.gradient(loss, [w, scale])):
            if grad is not None:
                variable.assign_sub(rate * grad)
        print(float(loss))


x = np.random.default_rng(4).normal(size=(8, 2)).astype("float32")
train(batches(x, x.sum(axis=1, keepdims=True), 4))
