import tensorflow as tf

tf.keras.utils.set_random_seed(4)


def q_network():
    return tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(2)])


class Agent:
    def __init__(self):
        self.online = q_network()
        self.target = q_network()
        self.target.set_weights(self.online.get_weights())

    def td_error(self, state, action, reward, following):
        best = tf.reduce_max(self.target(following), axis=1)
        wanted = tf.stop_gradient(reward + 0.9 * best)
        values = self.target(state)
        chosen = tf.gather(values, action, axis=1, batch_dims=1)
        return tf.reduce_mean(tf.square(wanted - chosen))


agent = Agent()
state = tf.constant([[0.1, 0.2, 0.3], [1.0, 0.0, -1.0]])
following = state + 0.5
with tf.GradientTape() as tape:
    loss = agent.td_error(state, tf.constant([0, 1]), tf.constant([1.0, 0.0]), following)
print(tape.gradient(loss, agent.online.trainable_variables))
