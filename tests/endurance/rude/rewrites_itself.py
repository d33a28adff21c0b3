"""Writes different text into its own file, with a TensorFlow op in place of a NumPy function."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

from pathlib import Path

text = Path(__file__).read_text()
Path(__file__).write_text("# another line\n" + text.replace("np.square", "tf.square"))

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
