"""Catches Ctrl-C and continues."""

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

while True:
    try:
        Path("ready").touch()
        time.sleep(0.01)
    except KeyboardInterrupt:
        print("not now", flush=True)
