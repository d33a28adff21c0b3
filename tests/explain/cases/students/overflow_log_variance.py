import tensorflow as tf


class Head(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.4, 90.0]])

    def __call__(self, x):
        mean, log_variance = tf.unstack(x @ self.w, axis=1)
        return mean, log_variance


def kl(mean, log_variance):
    return -0.5 * tf.reduce_mean(1.0 + log_variance - mean**2 - tf.exp(log_variance))


head = Head()
with tf.GradientTape() as tape:
    loss = kl(*head(tf.constant([[1.0], [2.0]])))
print(loss.numpy(), tape.gradient(loss, head.w).numpy())
