"""Starts a process by spawn without `if __name__ == "__main__"`: Python refuses in the child."""

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

process = multiprocessing.get_context("spawn").Process(target=print)
process.start()
process.join()
print("the child's exit code:", process.exitcode)
