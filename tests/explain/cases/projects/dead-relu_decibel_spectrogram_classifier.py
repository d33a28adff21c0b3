import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(81)

RATE = 4000
FRAME = 64


def tone(pitch, rng, seconds=0.12):
    t = np.arange(int(RATE * seconds)) / RATE
    return 0.05 * np.sin(2.0 * np.pi * pitch * t) + rng.normal(0.0, 1e-3, t.size)


def decibels(power):
    return 10.0 * np.log10(power + 1e-10)


def spectrogram(wave):
    frames = wave[: len(wave) // FRAME * FRAME].reshape(-1, FRAME) * np.hanning(FRAME)
    return decibels(np.abs(np.fft.rfft(frames, axis=1)) ** 2 / FRAME**2)


def load(count):
    rng = np.random.default_rng(81)
    labels = rng.integers(0, 2, count)
    waves = [tone(400.0 + 700.0 * label, rng) for label in labels]
    features = np.array([spectrogram(w).mean(axis=0) for w in waves])
    return features.astype("float32"), labels.astype("int32")


def build():
    filters = tf.keras.initializers.RandomUniform(0.0, 0.3, seed=2)
    return tf.keras.Sequential(
        [
            tf.keras.Input((FRAME // 2 + 1,)),
            layers.Dense(8, activation="relu", kernel_initializer=filters, name="bands"),
            layers.Dense(2, name="logits"),
        ]
    )


class Monitor:
    """Collects the share of silent units and the norms of the gradients."""

    def __init__(self, model):
        self.bands = tf.keras.Model(model.inputs, model.get_layer("bands").output)
        self.rows = []

    def __call__(self, x, grads):
        silent = tf.reduce_mean(tf.cast(self.bands(x) <= 0.0, tf.float32))
        self.rows.append((float(silent), [float(tf.norm(g)) for g in grads]))


x, y = load(24)
model = build()
monitor = Monitor(model)
optimizer = tf.keras.optimizers.RMSprop(1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for step in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    monitor(x, grads)
print(monitor.rows[-1])
