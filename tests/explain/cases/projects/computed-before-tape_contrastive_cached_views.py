import functools

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)


class ViewStore:
    """Keeps the raw samples, hands out two noisy views of a batch."""

    def __init__(self, samples, batch_size, seed=0):
        self.samples = samples
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.samples) // self.batch_size

    def views(self, index):
        rows = self.samples[index * self.batch_size : (index + 1) * self.batch_size]
        noise = self.rng.normal(0.0, 0.1, (2, *rows.shape)).astype("float32")
        return rows + noise[0], rows + noise[1]


store = ViewStore(np.random.default_rng(2).normal(size=(24, 10)).astype("float32"), 8)
projector = tf.keras.Sequential(
    [
        tf.keras.Input((10,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(4),
    ]
)
optimizer = tf.keras.optimizers.Adam(3e-3)


@functools.lru_cache(maxsize=64)
def embed(index):
    first, second = store.views(index)
    return tuple(tf.math.l2_normalize(projector(v), axis=1) for v in (first, second))


def info_nce(a, b, temperature=0.2):
    logits = tf.matmul(a, b, transpose_b=True) / temperature
    labels = tf.range(tf.shape(logits)[0])
    both = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    back = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.transpose(logits))
    return tf.reduce_mean(both + back) / 2.0


def alignment():
    """Mean cosine between the two views over the whole store."""
    values = []
    for index in range(len(store)):
        a, b = embed(index)
        values.append(float(tf.reduce_mean(tf.reduce_sum(a * b, axis=1))))
    return np.mean(values)


print(f"alignment before training {alignment():.3f}")
for epoch in range(2):
    for index in range(len(store)):
        with tf.GradientTape() as tape:
            a, b = embed(index)
            loss = info_nce(a, b)
        grads = tape.gradient(loss, projector.trainable_variables)
        optimizer.apply_gradients(zip(grads, projector.trainable_variables))
    print(f"epoch {epoch} alignment {alignment():.3f}")
