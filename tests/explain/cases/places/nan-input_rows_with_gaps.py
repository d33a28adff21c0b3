import numpy as np
import tensorflow as tf


def read(lines):
    rows = [[float(cell) if cell else np.nan for cell in line.split(",")] for line in lines]
    return np.array(rows, "float32")


def train(data, w, epochs):
    for _ in range(epochs):
        for batch in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((batch[:, :1] * w - batch[:, 1:]) ** 2)
            w.assign_sub(0.01 * tape.gradient(loss, w))
    return w


table = read(["1.0,2.1", "2.0,3.9", "3.0,", "4.0,8.2"])
dataset = tf.data.Dataset.from_tensor_slices(table).batch(2)
print(train(dataset, tf.Variable(0.5, name="w"), 2))
