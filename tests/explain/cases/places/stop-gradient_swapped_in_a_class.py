import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(31)


class Agreement:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, learned, reference):
        return self.weight * self.distance(learned, reference)

    def distance(self, a, b):
        b = tf.stop_gradient(b)
        return tf.reduce_mean(tf.reduce_sum(tf.abs(a - b), axis=1))


student = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
teacher = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
agree = Agreement(0.5)
x = np.random.default_rng(31).normal(size=(5, 3)).astype("float32")
aims = teacher(x)
with tf.GradientTape() as tape:
    said = student(x)
    loss = agree(aims, said)
grads = tape.gradient(loss, student.trainable_variables)
print(grads)
