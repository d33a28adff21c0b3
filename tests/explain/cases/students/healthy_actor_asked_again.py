import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
actor = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2, activation="tanh")])
critic = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
rng = np.random.default_rng(0)

states = rng.normal(size=(8, 2)).astype("float32")
actions = np.clip(actor(states) + 0.1 * rng.normal(size=(8, 2)), -1, 1).astype("float32")
rewards = -np.abs(actions - states).sum(axis=1, keepdims=True)
for _ in range(2):
    with tf.GradientTape() as tape:
        critic_loss = tf.reduce_mean(tf.square(rewards - critic(tf.concat([states, actions], axis=1))))
    gradients = tape.gradient(critic_loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    with tf.GradientTape() as tape:
        values = critic(tf.concat([states, actor(states)], axis=1))
        actor_loss = -tf.reduce_mean(values)
    tape.gradient(actor_loss, actor.trainable_variables)
