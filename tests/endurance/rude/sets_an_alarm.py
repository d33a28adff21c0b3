"""Uses the system's alarm signal."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import signal
import time


def rang(number, frame):
    raise TimeoutError("my own alarm")


signal.signal(signal.SIGALRM, rang)
signal.alarm(1)
try:
    time.sleep(1000)
except TimeoutError:
    print("my own alarm rang")
