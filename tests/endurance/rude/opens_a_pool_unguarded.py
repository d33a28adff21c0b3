"""Uses a pool by spawn without `if __name__ == "__main__"`: its workers fail and are restarted, forever."""

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

with multiprocessing.get_context("spawn").Pool(1) as pool:
    pool.map(abs, [1])
