"""DeepSDF in small: a decoder and one learned code for each shape, trained together; no encoder."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)

SHAPES, CODE, POINTS = 6, 3, 20


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(24, activation="tanh")
        self.distance = tf.keras.layers.Dense(1)

    def call(self, codes, points):
        codes = tf.repeat(codes[:, tf.newaxis], tf.shape(points)[1], axis=1)
        return self.distance(self.hidden(tf.concat([codes, points], axis=-1)))[..., 0]


def circles(radii):
    """Points in the plane, and how far they are from a circle of each radius."""
    points = rng.uniform(-1.0, 1.0, size=(len(radii), POINTS, 2)).astype("float32")
    distance = np.linalg.norm(points, axis=-1) - np.asarray(radii)[:, np.newaxis]
    return points, distance.astype("float32")


codes = tf.Variable(tf.random.normal([SHAPES, CODE], stddev=0.1), name="codes")
points, distances = circles(np.linspace(0.2, 0.8, SHAPES))
decoder = Decoder()
optimizer = tf.keras.optimizers.Adam(1e-2)


def batches():
    """Every shape with its code, in small batches."""
    rows = (tf.convert_to_tensor(codes), points, distances)
    return tf.data.Dataset.from_tensor_slices(rows).batch(3)


def loss_of(code, where, truth):
    error = tf.abs(decoder(code, where) - truth)
    return tf.reduce_mean(error) + 1e-3 * tf.reduce_mean(tf.reduce_sum(code**2, axis=-1))


for epoch in range(2):
    for code, where, truth in batches():
        with tf.GradientTape() as tape:
            loss = loss_of(code, where, truth)
        weights = [codes, *decoder.trainable_variables]
        grads = tape.gradient(loss, weights)
        optimizer.apply_gradients([(g, w) for g, w in zip(grads, weights) if g is not None])
    print(epoch, float(loss))


def complete(where, truth, turns=5, rate=0.1):
    """The code of a shape that was not in the training set."""
    code = tf.zeros([1, CODE])
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = loss_of(code, where, truth)
        slope = tape.gradient(loss, code)
        code = code - rate * slope
    return code


print(complete(*circles([0.5])))
