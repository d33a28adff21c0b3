"""Allocates 1 GB in small pieces and keeps them."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

kept = []
for _ in range(100):
    kept.append(bytearray(b"m" * 10_000_000))
print("had it all")
