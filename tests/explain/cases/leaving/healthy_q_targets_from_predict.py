import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
agent = tf.keras.Sequential(
    [
        tf.keras.layers.Input(shape=(4,)),
        tf.keras.layers.Dense(8, activation="tanh"),
        tf.keras.layers.Dense(2),
    ]
)
optimizer = tf.keras.optimizers.SGD(0.05)
rng = np.random.default_rng(5)
actions = np.array([0, 1, 1, 0, 1, 0])

for episode in range(3):
    states = rng.normal(size=(6, 4)).astype(np.float32)
    next_states = rng.normal(size=(6, 4)).astype(np.float32)
    rewards = rng.uniform(size=6).astype(np.float32)
    with tf.GradientTape() as tape:
        future = agent.predict(next_states, verbose=0)
        wanted = rewards + 0.95 * np.max(future, axis=1)
        chosen = tf.reduce_sum(agent(states) * tf.one_hot(actions, 2), axis=1)
        loss = tf.reduce_mean(tf.square(wanted - chosen))
    grads = tape.gradient(loss, agent.trainable_variables)
    optimizer.apply_gradients(zip(grads, agent.trainable_variables))
    print(episode, float(loss))
