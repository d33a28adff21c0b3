"""Soft actor-critic on a one-dimensional task: replay memory in NumPy, two critics, slowly moving targets."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(73)
rng = np.random.default_rng(73)

GAMMA, TAU = 0.95, 0.02


def network(inputs, outputs):
    return tf.keras.Sequential(
        [
            tf.keras.Input((inputs,)),
            tf.keras.layers.Dense(12, activation="tanh"),
            tf.keras.layers.Dense(outputs),
        ]
    )


class Memory:
    def __init__(self):
        self.rows = []

    def add(self, *row):
        self.rows.append(np.concatenate([np.ravel(part) for part in row]))

    def sample(self, count):
        rows = np.stack([self.rows[i] for i in rng.integers(0, len(self.rows), count)])
        return tf.split(tf.constant(rows, dtype=tf.float32), [2, 1, 1, 2], axis=1)


class Agent:
    def __init__(self):
        self.actor = network(2, 2)
        self.critics = [network(3, 1) for _ in range(2)]
        self.targets = [network(3, 1) for _ in range(2)]
        for critic, target in zip(self.critics, self.targets):
            target.set_weights(critic.get_weights())
        self.log_alpha = tf.Variable(-1.0)
        self.optimizers = [tf.keras.optimizers.Adam(3e-3) for _ in range(3)]

    def act(self, state):
        mean, log_std = tf.split(self.actor(state), 2, axis=1)
        log_std = -1.0 + tf.tanh(log_std)
        noise = rng.normal(size=mean.shape).astype("float32")
        action = tf.tanh(mean + tf.exp(log_std) * noise)
        log_prob = -0.5 * noise**2 - log_std - tf.math.log(1.0 - action**2 + 1e-6)
        return action, log_prob

    def value(self, critics, state, action):
        both = tf.concat([state, action], axis=1)
        return tf.minimum(*[critic(both) for critic in critics])

    def learn(self, state, action, reward, following):
        alpha = tf.exp(self.log_alpha)
        next_action, next_log_prob = self.act(following)
        future = self.value(self.targets, following, next_action) - alpha * next_log_prob
        wanted = tf.stop_gradient(reward + GAMMA * future)
        with tf.GradientTape() as tape:
            both = tf.concat([state, action], axis=1)
            critic_loss = sum(tf.reduce_mean((c(both) - wanted) ** 2) for c in self.critics)
        weights = [w for critic in self.critics for w in critic.trainable_variables]
        self.optimizers[0].apply_gradients(zip(tape.gradient(critic_loss, weights), weights))

        with tf.GradientTape() as tape:
            chosen, log_prob = self.act(state)
            gain = self.value(self.critics, state, chosen)
            actor_loss = tf.reduce_mean(tf.stop_gradient(alpha) * log_prob - gain)
        weights = self.actor.trainable_variables
        self.optimizers[1].apply_gradients(zip(tape.gradient(actor_loss, weights), weights))

        with tf.GradientTape() as tape:
            surprise = tf.stop_gradient(log_prob - 1.0)
            alpha_loss = -tf.reduce_mean(tf.exp(self.log_alpha) * surprise)
        slope = tape.gradient(alpha_loss, [self.log_alpha])
        self.optimizers[2].apply_gradients(zip(slope, [self.log_alpha]))
        for critic, target in zip(self.critics, self.targets):
            for new, old in zip(critic.variables, target.variables):
                old.assign((1.0 - TAU) * old + TAU * new)
        return float(critic_loss), float(actor_loss)


agent, memory, state = Agent(), Memory(), np.array([[0.5, 0.0]], dtype="float32")
for step in range(16):
    action = agent.act(state)[0].numpy()
    speed = state[0, 1] + 0.1 * action[0, 0]
    following = np.array([[state[0, 0] + speed, speed]], dtype="float32")
    memory.add(state, action, -(following[0, 0] ** 2), following)
    state = following
    if step >= 12:
        print(step, agent.learn(*memory.sample(8)))
