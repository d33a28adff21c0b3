"""Forks; both processes run to the end of the file, and the parent waits for its child."""

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
from pathlib import Path

child = os.fork()
if child:
    os.waitpid(child, 0)

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
Path("parent.txt" if child else "child.txt").write_text("came to its end")
