"""Installs handlers for SIGINT, SIGTERM and SIGALRM, and sends itself all three."""

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
import signal

received = []
wanted = [signal.SIGINT, signal.SIGTERM, signal.SIGALRM]
for each in wanted:
    signal.signal(each, lambda number, frame: received.append(number))
for each in wanted:
    os.kill(os.getpid(), each)

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)

assert received == wanted, received
print("all is well")
