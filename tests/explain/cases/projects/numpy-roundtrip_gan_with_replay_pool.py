import tensorflow as tf

from gan_parts.losses import generator_loss, slope_penalty, wasserstein
from gan_parts.model import Critic, Generator, ReplayPool

tf.keras.utils.set_random_seed(17)


class Trainer:
    def __init__(self, latent=3, data_dim=2):
        self.latent = latent
        self.generator = Generator(latent, data_dim)
        self.critic = Critic(data_dim)
        self.pool = ReplayPool(capacity=64)
        self.g_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
        self.c_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)

    def sample(self, count):
        return self.pool.push(self.generator(tf.random.normal((count, self.latent))))

    def mixed_slopes(self, real, fake):
        share = tf.random.uniform((real.shape[0], 1))
        mixed = share * real + (1.0 - share) * fake
        with tf.GradientTape() as inner:
            inner.watch(real)
            scores = self.critic(mixed)
        return inner.gradient(scores, mixed)

    def critic_step(self, real, penalty=True):
        fake = self.sample(real.shape[0])
        with tf.GradientTape() as tape:
            loss = wasserstein(self.critic(real), self.critic(fake))
            if penalty:
                loss += 10.0 * slope_penalty(self.mixed_slopes(real, fake))
        grads = tape.gradient(loss, self.critic.trainable_variables)
        self.c_optimizer.apply_gradients(zip(grads, self.critic.trainable_variables))
        return loss

    def generator_step(self, count):
        with tf.GradientTape() as tape:
            fake = self.sample(count)
            loss = generator_loss(self.critic(fake))
        return loss, tape.gradient(loss, self.generator.trainable_variables)


def real_batch(count):
    angle = tf.random.uniform((count, 1), 0.0, 6.283)
    return tf.concat([tf.cos(angle), tf.sin(angle)], axis=1)


trainer = Trainer()
print("critic", float(trainer.critic_step(real_batch(16), penalty=False)))
loss, grads = trainer.generator_step(16)
missing = [v.name for v, g in zip(trainer.generator.trainable_variables, grads) if g is None]
print("generator", float(loss), "without a gradient:", missing)
trainer.critic_step(real_batch(16))
