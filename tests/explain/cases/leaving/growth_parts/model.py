"""Logistic growth of a population, step by step."""

import numpy as np
import tensorflow as tf


class Growth:
    def __init__(self, rate, limit):
        self.rate = tf.Variable(rate)
        self.limit = tf.Variable(limit)

    def next_size(self, size):
        return size + self.rate * size * (1.0 - size / self.limit)

    def simulated(self, size, steps):
        sizes = np.zeros(steps, dtype="float32")
        for step in range(steps):
            size = self.next_size(size)
            sizes[step] = size
        return sizes

    def recorded(self, size, steps):
        sizes = []
        for _ in range(steps):
            size = self.next_size(size)
            sizes.append(size)
        return tf.stack(sizes)
