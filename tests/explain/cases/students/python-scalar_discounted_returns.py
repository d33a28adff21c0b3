import tensorflow as tf


class Policy(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([0.3, -0.1])

    def reward(self, state):
        return tf.sigmoid(tf.reduce_sum(self.w * state))


def discounted(rewards, gamma=0.9):
    total = 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
    return total


policy = Policy()
states = [tf.constant([1.0, 0.0]), tf.constant([0.5, 1.0])]
with tf.GradientTape() as tape:
    rewards = [policy.reward(state).numpy().item() for state in states]
    goal = tf.constant(discounted(rewards))
print(tape.gradient(goal, policy.w))
