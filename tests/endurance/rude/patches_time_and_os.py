"""Breaks the clocks and file access, and continues."""

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


def no(*args, **kwargs):
    raise RuntimeError("patched")


time.monotonic = time.time = time.perf_counter = lambda: 0.0
time.sleep = os.write = os.open = os.read = os.close = os.fstat = os.getpid = os.kill = no

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
