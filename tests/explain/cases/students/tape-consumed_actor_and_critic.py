import tensorflow as tf


class Agent:
    def __init__(self):
        self.actor = tf.Variable([0.1, -0.2])
        self.critic = tf.Variable([0.5, 0.5])

    def losses(self, state):
        value = tf.reduce_sum(self.critic * state)
        action = tf.tanh(tf.reduce_sum(self.actor * state))
        return -action * value, (value - 1.0) ** 2


agent = Agent()
with tf.GradientTape() as tape:
    actor_loss, critic_loss = agent.losses(tf.constant([1.0, 2.0]))
for loss, weights in [(actor_loss, agent.actor), (critic_loss, agent.critic)]:
    print(tape.gradient(loss, weights))
