from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
LATENT = 2


@dataclass
class LossRecord:
    reconstruction: tf.Tensor
    kl: float
    beta: float = 0.5
    notes: dict = field(default_factory=dict)

    def __post_init__(self):
        self.kl = round(float(self.kl), 6)

    @property
    def total(self):
        return self.reconstruction + self.beta * self.kl

    def line(self):
        return f"reconstruction {float(self.reconstruction):.4f} kl {self.kl:.4f}"


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="tanh")
        self.mean = tf.keras.layers.Dense(LATENT)
        self.log_variance = tf.keras.layers.Dense(LATENT)

    def call(self, x):
        h = self.hidden(x)
        return self.mean(h), self.log_variance(h)


class LearnedPrior(tf.Module):
    def __init__(self):
        super().__init__()
        self.mean = tf.Variable(tf.zeros(LATENT), name="prior_mean")
        self.log_variance = tf.Variable(tf.zeros(LATENT), name="prior_log_variance")

    def divergence(self, mean, log_variance):
        ratio = tf.exp(log_variance - self.log_variance)
        shift = (mean - self.mean) ** 2 / tf.exp(self.log_variance)
        per_dim = ratio + shift - 1.0 + self.log_variance - log_variance
        return 0.5 * tf.reduce_mean(tf.reduce_sum(per_dim, axis=-1))


encoder = Encoder()
decoder = tf.keras.Sequential(
    [tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(6)]
)
prior = LearnedPrior()
main_optimizer = tf.keras.optimizers.Adam(1e-2)
prior_optimizer = tf.keras.optimizers.SGD(1e-3)


def evaluate(x):
    mean, log_variance = encoder(x)
    noise = tf.random.normal(tf.shape(mean))
    z = mean + tf.exp(0.5 * log_variance) * noise
    reconstruction = tf.reduce_mean(tf.reduce_sum((decoder(z) - x) ** 2, axis=-1))
    return LossRecord(reconstruction, prior.divergence(mean, log_variance))


data = np.random.default_rng(5).normal(size=(32, 6)).astype("float32")
for epoch in range(2):
    with tf.GradientTape(persistent=True) as tape:
        record = evaluate(data)
        loss = record.total
    weights = encoder.trainable_variables + decoder.trainable_variables
    main_grads = tape.gradient(loss, weights)
    prior_grads = tape.gradient(loss, [prior.mean, prior.log_variance])
    main_optimizer.apply_gradients(zip(main_grads, weights))
    prior_optimizer.apply_gradients(zip(prior_grads, [prior.mean, prior.log_variance]))
    print(epoch, record.line())
