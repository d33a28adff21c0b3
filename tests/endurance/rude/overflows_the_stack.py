"""Recurses through C with Python's limit raised, so that the C stack overflows."""

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

sys.setrecursionlimit(10**9)


def deeper(n):
    return list(map(deeper, [n + 1]))


deeper(0)
