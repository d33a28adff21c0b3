import numpy as np
import tensorflow as tf


class TinyAttention(tf.Module):
    def __init__(self, width):
        self.query = tf.Variable(tf.eye(width) * 0.7, name="query")
        self.key = tf.Variable(tf.eye(width) * 0.3, name="key")

    def __call__(self, tokens):
        keys = tokens @ self.key
        rows = []
        for token in tf.unstack(tokens):
            question = tf.linalg.matvec(self.query, token, transpose_a=True)
            rows.append(tf.nn.softmax(tf.linalg.matvec(keys, question)))
        attention = np.vstack(rows)
        return attention @ tokens


tokens = tf.constant([[1.0, 0.0], [0.5, 0.5], [-1.0, 2.0]])
block = TinyAttention(2)
with tf.GradientTape() as tape:
    out = block(tokens)
    loss = tf.reduce_mean(tf.square(out))
print(tape.gradient(loss, [block.query, block.key]))
