import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(101)


class Episode:
    """Some classes, a few shots of each for support, others for the query."""

    def __init__(self, ways, shots, queries, seed):
        rng = np.random.default_rng(seed)
        centres = rng.normal(0.0, 2.0, (ways, 1, 6))
        points = centres + rng.normal(0.0, 0.7, (ways, shots + queries, 6))
        self.ways, self.shots = ways, shots
        self.support = points[:, :shots].astype("float32")
        self.query = points[:, shots:].reshape(-1, 6).astype("float32")
        self.labels = np.repeat(np.arange(ways), queries).astype("int32")


def euclidean(a, b):
    return tf.sqrt(tf.reduce_sum((a - b) ** 2, axis=-1))


class PrototypicalLoss:
    def __init__(self, compactness=0.1):
        self.compactness = compactness

    def prototypes(self, vectors):
        return tf.reduce_mean(vectors, axis=1)

    def __call__(self, encoder, episode):
        flat = episode.support.reshape(-1, 6)
        support = tf.reshape(encoder(flat), (episode.ways, episode.shots, -1))
        centres = self.prototypes(support)
        distances = euclidean(encoder(episode.query)[:, None, :], centres[None])
        entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(episode.labels, -distances)
        spread = tf.reduce_mean(euclidean(support, centres[:, None, :]))
        return tf.reduce_mean(entropy) + self.compactness * spread


encoder = tf.keras.Sequential(
    [tf.keras.Input((6,)), layers.Dense(10, activation="swish"), layers.Dense(4, use_bias=False)]
)
objective = PrototypicalLoss()
schedule = tf.keras.optimizers.schedules.CosineDecay(0.01, decay_steps=10)
optimizer = tf.keras.optimizers.Adam(schedule)

curriculum = [Episode(3, 5, 4, seed=1), Episode(4, 1, 4, seed=2)]
for number, episode in enumerate(curriculum, 1):
    with tf.GradientTape() as tape:
        loss = objective(encoder, episode)
    grads = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(grads, encoder.trainable_variables))
    print(f"episode {number} ({episode.shots} shots): loss {float(loss):.3f}")
