"""Replaces modules that all code needs with empty ones, and continues."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import sys
import types

for name in "json", "os", "time", "threading", "linecache", "inspect", "ast", "traceback", "atexit":
    sys.modules[name] = types.ModuleType(name)

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
