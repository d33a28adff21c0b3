import tensorflow as tf


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(4, activation="tanh")
        self.out = tf.keras.layers.Dense(2)
        self.learned = self.hidden.trainable_variables + self.out.trainable_variables

    def call(self, state):
        return self.out(self.hidden(state))


tf.keras.utils.set_random_seed(2)
policy = Policy()
states = tf.constant([[0.1, 0.4, -0.3], [1.0, 0.2, 0.5]])
with tf.GradientTape() as tape:
    logits = policy(states)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], logits))
for gradient in tape.gradient(loss, policy.learned):
    print(gradient.shape)
