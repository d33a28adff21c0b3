"""Forks twice and starts a session in between: a daemon outside of the process tree."""

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

if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    for descriptor in 0, 1, 2:
        os.close(descriptor)
    time.sleep(1000)
    os._exit(0)
os.wait()
