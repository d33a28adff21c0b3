"""DnCNN: a denoiser that predicts the noise; as in the paper, the last convolution before the output has no scaling."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(41)
rng = np.random.default_rng(41)


class Denoiser(tf.keras.layers.Layer):
    def __init__(self, depth=4, channels=6):
        super().__init__()
        self.depth = depth
        self.channels = channels

    def build(self, shape):
        sizes = [shape[-1]] + [self.channels] * self.depth
        self.filters = [
            self.add_weight(shape=(3, 3, before, after), initializer="he_normal", name=f"filter_{i}")
            for i, (before, after) in enumerate(zip(sizes, sizes[1:]))
        ]
        self.scales = [
            self.add_weight(shape=(self.channels,), initializer="ones", name=f"scale_{i}")
            for i in range(self.depth - 1)
        ]
        self.last = self.add_weight(shape=(3, 3, self.channels, shape[-1]), name="last")

    def standardise(self, x):
        mean, variance = tf.nn.moments(x, axes=[0, 1, 2])
        return (x - mean) / tf.sqrt(variance + 1e-3)

    def call(self, noisy):
        x = noisy
        for kernel, scale in zip(self.filters, self.scales):
            x = tf.nn.conv2d(x, kernel, strides=1, padding="SAME")
            x = tf.nn.relu(self.standardise(x) * scale)
        return noisy - tf.nn.conv2d(x, self.last, strides=1, padding="SAME")


def blobs(count, size=10):
    grid = np.linspace(-1.0, 1.0, size)
    images = []
    for _ in range(count):
        cx, cy, width = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.2, 0.5)
        images.append(np.exp(-((grid[:, None] - cx) ** 2 + (grid - cy) ** 2) / width**2))
    return np.stack(images)[..., np.newaxis].astype("float32")


def psnr(clean, restored):
    error = float(tf.reduce_mean((clean - restored) ** 2))
    return -10.0 * np.log10(error)


model = Denoiser()
optimizer = tf.keras.optimizers.Adam(3e-3)
clean = blobs(8)

for epoch in range(3):
    noisy = clean + 0.1 * rng.normal(size=clean.shape).astype("float32")
    with tf.GradientTape() as tape:
        restored = model(noisy)
        loss = tf.reduce_mean((restored - clean) ** 2)
    weights = model.trainable_variables
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(f"epoch {epoch}: loss {float(loss):.5f}  psnr {psnr(clean, restored):.2f} dB")
