"""Closes all descriptors from 3 on, reuses their numbers for its own files, and checks the contents of these files."""

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

os.closerange(3, 1024)
files = {n: os.open(f"own{n}.txt", os.O_RDWR | os.O_CREAT | os.O_TRUNC) for n in range(40)}

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)

for n, descriptor in files.items():
    os.write(descriptor, b"mine %d" % n)
    assert Path(f"own{n}.txt").read_bytes() == b"mine %d" % n
print("all is well")
