"""Computes in a pool of processes that are started by fork."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import multiprocessing


def work(n):
    """Loses a gradient as well, in another process: not heard."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(np.square(x @ w - y))
    tape.gradient(loss, w)
    return n * n


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print("squares:", pool.map(work, [1, 2, 3]))
