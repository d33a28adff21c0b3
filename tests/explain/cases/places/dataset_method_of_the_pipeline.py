import numpy as np
import tensorflow as tf


class Pipeline:
    def __init__(self, size):
        self.size = size
        self.shift = tf.Variable(0.1, name="shift")

    def move(self, x):
        return x + self.shift

    def scale(self, x):
        return x / 10.0

    def __call__(self, x):
        data = tf.data.Dataset.from_tensor_slices(x)
        return data.map(self.scale).map(self.move).batch(self.size)


class Trainer:
    def __init__(self, pipeline):
        self.pipeline = pipeline
        self.w = tf.Variable(0.5, name="w")

    def run(self, x):
        for batch in self.pipeline(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.w * batch - 1.0) ** 2)
            grads = tape.gradient(loss, [self.w, self.pipeline.shift])
            print(float(loss), grads)


Trainer(Pipeline(4)).run(np.arange(8, dtype="float32"))
