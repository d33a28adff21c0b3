import math

import tensorflow as tf


class History:
    def __init__(self):
        self.losses = []

    def on_epoch(self, epoch, loss):
        self.losses.append(loss)


class Patience:
    def __init__(self, epochs):
        self.best, self.left = math.inf, epochs

    def on_epoch(self, epoch, loss):
        self.left = self.left if loss < self.best - 1e-3 else self.left - 1
        self.best = min(self.best, loss)


w = tf.Variable(3.0)
history, patience = History(), Patience(2)
epoch = 0
while patience.left > 0 and epoch < 40:
    with tf.GradientTape() as tape:
        loss = (w - 1.0) ** 2 + 0.5
    w.assign_sub(0.2 * tape.gradient(loss, w))
    for callback in (history, patience):
        callback.on_epoch(epoch, float(loss))
    epoch += 1
print(epoch, history.losses[-1])
