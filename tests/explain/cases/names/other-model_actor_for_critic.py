import tensorflow as tf

tf.keras.utils.set_random_seed(12)
actor = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(1, activation="tanh")], name="actor")
critic = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(1)], name="critic")
states = tf.constant([[0.1, -0.4, 0.9], [0.3, 0.3, 0.1]])
returns = tf.constant([[0.7], [-0.1]])


def critic_loss():
    values = actor(states)
    return tf.reduce_mean(tf.square(returns - values))


with tf.GradientTape() as tape:
    loss = critic_loss()
print(tape.gradient(loss, critic.trainable_variables))
