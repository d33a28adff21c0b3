"""Replaces sys.stdout and sys.stderr with objects that raise on write."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import sys


class Wall:
    def write(self, text):
        raise RuntimeError("nobody writes here")

    def flush(self):
        pass


sys.stdout = sys.stderr = Wall()

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
