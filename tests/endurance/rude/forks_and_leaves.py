"""Forks; the child continues for a while after its parent has ended."""

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
import time


def work(n):
    """Loses a gradient as well, in another process: not heard."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(np.square(x @ w - y))
    tape.gradient(loss, w)
    return n * n


if not os.fork():
    for n in range(20):
        work(n)
        time.sleep(0.1)
