"""Redirects the descriptors 1 and 2 to a file."""

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

own = os.open("own.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
os.dup2(own, 1)
os.dup2(own, 2)

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)

os.write(1, b"to stdout\n")
os.write(2, b"to stderr\n")
