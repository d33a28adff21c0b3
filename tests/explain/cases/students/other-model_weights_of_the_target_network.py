import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(7)
network = keras.Sequential([keras.Input((2,)), keras.layers.Dense(8, "tanh"), keras.layers.Dense(3)])
slow_network = keras.models.clone_model(network)
slow_network.set_weights(network.get_weights())
optimizer = keras.optimizers.Adam(0.001)
states = np.random.normal(size=(6, 2)).astype("float32")
rewards = np.ones(6, dtype="float32")
actions = tf.constant([0, 1, 2, 0, 1, 2])

best_next = slow_network(states).numpy().max(axis=1)
wanted = rewards + 0.9 * best_next
with tf.GradientTape() as tape:
    values = tf.reduce_sum(network(states) * tf.one_hot(actions, 3), axis=1)
    loss = tf.reduce_mean((wanted - values) ** 2)
gradients = tape.gradient(loss, slow_network.trainable_variables)
print([g is None for g in gradients])
