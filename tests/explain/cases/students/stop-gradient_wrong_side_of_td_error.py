import tensorflow as tf


class Critic(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.2], [-0.1], [0.4]])

    def __call__(self, state):
        return tf.squeeze(state @ self.w, axis=1)


def frozen(value):
    return tf.stop_gradient(value)


critic = Critic()
state = tf.constant([[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]])
next_state = tf.constant([[0.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
reward = tf.constant([1.0, 0.0])
with tf.GradientTape() as tape:
    target = reward + 0.9 * frozen(critic(next_state))
    error = target - frozen(critic(state))
    loss = tf.reduce_mean(error**2)
print(tape.gradient(loss, critic.w))
