"""Catches the first Ctrl-C and runs to its end."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import time
from pathlib import Path

try:
    Path("ready").touch()
    time.sleep(1000)
except KeyboardInterrupt:
    print("once is enough")

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
