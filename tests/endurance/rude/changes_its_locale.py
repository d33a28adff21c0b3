"""Sets a locale, and streams that support only ASCII."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import locale
import os
import sys

for name in "tr_TR.UTF-8", "de_DE.UTF-8", "C":
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        continue
    break
os.environ["LC_ALL"] = os.environ["PYTHONIOENCODING"] = "ascii"
sys.stdout.reconfigure(encoding="ascii")
sys.stderr.reconfigure(encoding="ascii")

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(np.square(x @ w - y))  # lost
tape.gradient(loss, w)
