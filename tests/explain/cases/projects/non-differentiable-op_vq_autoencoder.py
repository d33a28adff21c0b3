import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(50)


class Codebook(layers.Layer):
    def __init__(self, size, width, commitment=0.25):
        super().__init__()
        self.size = size
        self.width = width
        self.commitment = commitment
        self.codes = self.add_weight(
            shape=(size, width), initializer=tf.keras.initializers.RandomUniform(-0.5, 0.5, seed=1)
        )

    def nearest(self, vectors):
        distances = (
            tf.reduce_sum(vectors**2, axis=1, keepdims=True)
            - 2.0 * tf.matmul(vectors, self.codes, transpose_b=True)
            + tf.reduce_sum(self.codes**2, axis=1)
        )
        return tf.argmin(distances, axis=1)

    def call(self, vectors):
        index = self.nearest(vectors)
        quantised = tf.gather(self.codes, index)
        pull_codes = tf.reduce_mean((tf.stop_gradient(vectors) - quantised) ** 2)
        pull_encoder = tf.reduce_mean((tf.stop_gradient(vectors) - quantised) ** 2)
        return quantised, pull_codes + self.commitment * pull_encoder


class VQAutoencoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(3)])
        self.codebook = Codebook(6, 3)
        self.decoder = tf.keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(5)])

    def call(self, x):
        quantised, distance = self.codebook(self.encoder(x))
        return self.decoder(quantised), distance


def clusters(count):
    rng = np.random.default_rng(4)
    centres = rng.normal(0.0, 2.0, (6, 5))
    return (centres[rng.integers(0, 6, count)] + rng.normal(0, 0.2, (count, 5))).astype("float32")


model = VQAutoencoder()
data = clusters(64)
model(data)
weights = [
    *model.encoder.trainable_variables,
    *model.codebook.trainable_variables,
    *model.decoder.trainable_variables,
]
optimizer = tf.keras.optimizers.Adam(0.01)

for step in range(4):
    with tf.GradientTape() as tape:
        restored, distance = model(data)
        loss = tf.reduce_mean((restored - data) ** 2) + distance
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    used = len(np.unique(model.codebook.nearest(model.encoder(data))))
    print(step, float(loss), "codes in use", used)
