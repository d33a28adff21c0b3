"""Writes bytes that are not text in any encoding."""

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

sys.stdout.buffer.write(b"out:\xff\xfe\x00\x80\x1b[\xc3(\n")
sys.stdout.flush()
sys.stderr.buffer.write(b"err:\xff\xfe\x00\x80\x1b[\xc3(\n")
sys.stderr.flush()
