"""Runs a program, sends it input, and reads its output."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import subprocess
import sys

ran = subprocess.run(["cat"], input=b"through a pipe", stdout=subprocess.PIPE, check=True)
assert ran.stdout == b"through a pipe"
ran = subprocess.run([sys.executable, "-c", "print(__name__)"], stdout=subprocess.PIPE, check=True)
assert ran.stdout.strip() == b"__main__", ran
print("all is well")
