import tensorflow as tf


class Generator(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[2.0, -1.0]])

    def __call__(self, noise):
        return noise @ self.w


def discriminator(sample):
    return tf.sigmoid(60.0 - 20.0 * tf.reduce_sum(sample, axis=1))


generator = Generator()
noise = tf.constant([[0.3], [-0.5], [0.1]])
with tf.GradientTape() as tape:
    verdict = discriminator(generator(noise))
    loss = tf.reduce_mean(1.0 - verdict)
print(tape.gradient(loss, generator.w))
