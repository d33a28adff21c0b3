import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
table = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
goal = tf.constant(rng.normal(size=(5, 3)).astype("float32"))


def permuted(rows):
    rows = np.array(rows)
    rng.shuffle(rows)
    return rows


with tf.GradientTape() as tape:
    mixed = permuted(tf.nn.softmax(table))
    loss = tf.reduce_sum((mixed - goal) ** 2)

print(tape.gradient(loss, table))
