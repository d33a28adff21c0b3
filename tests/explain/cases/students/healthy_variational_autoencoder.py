import tensorflow as tf


class VAE(tf.Module):
    def __init__(self):
        super().__init__()
        self.encoder = tf.Variable([[0.3, 0.2, -0.1, 0.1], [0.1, -0.4, 0.2, 0.3]])
        self.decoder = tf.Variable([[0.5, 0.1], [-0.3, 0.6]])

    def __call__(self, x, epsilon):
        mean, log_variance = tf.split(x @ self.encoder, 2, axis=1)
        z = mean + tf.exp(0.5 * log_variance) * tf.stop_gradient(epsilon)
        return z @ self.decoder, mean, log_variance


vae = VAE()
x = tf.constant([[1.0, 0.5], [-0.5, 2.0]])
epsilon = tf.random.stateless_normal([2, 2], seed=[1, 2])
with tf.GradientTape() as tape:
    guess, mean, log_variance = vae(x, epsilon)
    kl = -0.5 * tf.reduce_sum(1.0 + log_variance - mean**2 - tf.exp(log_variance))
    rebuilt = tf.reduce_sum((guess - x) ** 2)
    loss = rebuilt + 0.1 * kl
print(f"kl {float(kl):.3f}, rebuilt {float(rebuilt):.3f}")
grads = tape.gradient(loss, vae.trainable_variables)
print([g.shape for g in grads])
