"""Sets sys.excepthook, then raises."""

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


def reported(kind, error, where):
    print("my hook heard", kind.__name__, "in line", where.tb_lineno, file=sys.stderr)


sys.excepthook = reported
1 / 0
