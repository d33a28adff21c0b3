"""A Wasserstein GAN with gradient penalty for points on a ring."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(29)
rng = np.random.default_rng(29)

LATENT, PENALTY = 3, 10.0


def network(inputs, outputs, name):
    return tf.keras.Sequential(
        [
            tf.keras.Input((inputs,)),
            tf.keras.layers.Dense(16, activation="tanh"),
            tf.keras.layers.Dense(outputs, use_bias=name != "critic"),  # it would cancel out
        ],
        name=name,
    )


def ring(count):
    angle = rng.uniform(0.0, 2.0 * np.pi, count)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (points + 0.05 * rng.normal(size=points.shape)).astype("float32")


class WGAN:
    def __init__(self):
        self.generator = network(LATENT, 2, "generator")
        self.critic = network(2, 1, "critic")
        self.generator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
        self.critic_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)

    def noise(self, count):
        return tf.constant(rng.normal(size=(count, LATENT)), dtype=tf.float32)

    def gradient_penalty(self, real, fake):
        """The critic's slope should be 1 between the real and the invented points."""
        share = tf.constant(rng.uniform(size=(len(real), 1)), dtype=tf.float32)
        between = share * real + (1.0 - share) * fake
        with tf.GradientTape() as tape:
            tape.watch(between)
            score = self.critic(between)
        slope = tape.gradient(score, between)
        length = tf.sqrt(tf.reduce_sum(slope**2, axis=1) + 1e-12)
        return tf.reduce_mean((length - 1.0) ** 2)

    def critic_step(self, real):
        fake = self.generator(self.noise(len(real)))  # only the critic learns here
        penalty = self.gradient_penalty(real, fake)
        with tf.GradientTape() as tape:
            distance = tf.reduce_mean(self.critic(real)) - tf.reduce_mean(self.critic(fake))
            loss = PENALTY * penalty - distance
        weights = self.critic.trainable_variables
        grads = tape.gradient(loss, weights)
        self.critic_optimizer.apply_gradients(zip(grads, weights))
        return distance

    def generator_step(self, count):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.generator(self.noise(count))))
        weights = self.generator.trainable_variables
        grads = tape.gradient(loss, weights)
        self.generator_optimizer.apply_gradients(zip(grads, weights))
        return loss


gan = WGAN()
for iteration in range(3):
    for _ in range(2):
        distance = gan.critic_step(ring(16))
    gan.generator_step(16)
    print(f"{iteration}: distance {float(distance):.4f}")
