"""Sets trace and profile functions, and checks that they are still set."""

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

calls = set()


def traced(frame, event, argument):
    calls.add(frame.f_code.co_name)
    return traced


def profiled(frame, event, argument):
    pass


def seen():
    pass


sys.settrace(traced)
sys.setprofile(profiled)
seen()

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)

assert sys.gettrace() is traced and sys.getprofile() is profiled and "seen" in calls
print("all is well")
