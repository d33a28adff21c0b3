import tensorflow as tf


def q_network(state_size, actions, name):
    return tf.keras.Sequential(
        [
            tf.keras.Input((state_size,)),
            tf.keras.layers.Dense(16, activation="tanh"),
            tf.keras.layers.Dense(actions),
        ],
        name=name,
    )


class Agent:
    def __init__(self, state_size, actions, discount=0.9):
        self.online = q_network(state_size, actions, "online")
        self.target = q_network(state_size, actions, "target")
        self.actions, self.discount = actions, discount
        self.huber = tf.keras.losses.Huber()
        self.synchronize()

    def synchronize(self):
        self.target.set_weights(self.online.get_weights())

    def goals(self, rewards, following):
        best = tf.argmax(self.online(following), axis=1)
        value = tf.gather(self.target(following), best, axis=1, batch_dims=1)
        return rewards + self.discount * value

    def loss(self, states, chosen, goals):
        values = self.target(states)
        taken = tf.reduce_sum(values * tf.one_hot(chosen, self.actions), axis=1)
        return self.huber(goals, taken)
