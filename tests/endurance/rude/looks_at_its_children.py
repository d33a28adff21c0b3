"""Checks whether it already has children when it starts, for which it would wait."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import os

try:
    os.waitpid(-1, os.WNOHANG)
    print("somebody else's child")
except ChildProcessError:
    print("no children")
