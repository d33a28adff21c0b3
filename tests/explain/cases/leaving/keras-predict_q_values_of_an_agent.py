import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


def q_network():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input(shape=(4,)),
            tf.keras.layers.Dense(8, activation="relu"),
            tf.keras.layers.Dense(2),
        ]
    )


online, target = q_network(), q_network()
target.set_weights(online.get_weights())

rng = np.random.default_rng(5)
states = rng.normal(size=(6, 4)).astype(np.float32)
next_states = rng.normal(size=(6, 4)).astype(np.float32)
actions = np.array([0, 1, 1, 0, 1, 0])
rewards = np.ones(6, dtype=np.float32)

future = target.predict(next_states, verbose=0)
wanted = rewards + 0.95 * np.max(future, axis=1)

with tf.GradientTape() as tape:
    q_values = online.predict(states, verbose=0)
    chosen = tf.reduce_sum(q_values * tf.one_hot(actions, 2), axis=1)
    loss = tf.reduce_mean(tf.square(wanted - chosen))

grads = tape.gradient(loss, online.trainable_variables)
print("TD error:", loss.numpy(), grads)
