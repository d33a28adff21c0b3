import collections

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(90)

Transition = collections.namedtuple("Transition", "state action reward following")


class Pendulum:
    """Angle in degrees and angular speed in degrees per second."""

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.state = np.array([self.rng.uniform(100, 170), self.rng.uniform(20, 60)])
        return self.state.astype("float32")

    def step(self, action):
        angle, speed = self.state
        speed = 0.98 * speed + 8.0 * float(action[0]) - 0.05 * (angle - 90.0)
        self.state = np.array([angle + 0.05 * speed, speed])
        return self.state.astype("float32"), float(-abs(angle - 90.0) / 90.0)


class DDPG:
    def __init__(self):
        positive = tf.keras.initializers.RandomUniform(0.1, 0.5, seed=3)
        self.actor_net = tf.keras.Sequential(
            [
                tf.keras.Input((2,)),
                layers.Dense(8, activation="softplus", kernel_initializer=positive),
                layers.Dense(1, kernel_initializer=positive),
            ]
        )
        self.critic = tf.keras.Sequential(
            [tf.keras.Input((3,)), layers.Dense(8, activation="tanh"), layers.Dense(1)]
        )
        self.scale = np.array([1 / 180.0, 1 / 90.0, 1.0], "float32")
        self.actor_optimizer = tf.keras.optimizers.Adam(1e-3)
        self.critic_optimizer = tf.keras.optimizers.Adam(1e-3)
        self.buffer = collections.deque(maxlen=200)

    def actor(self, states):
        return tf.clip_by_value(self.actor_net(states), -1.0, 1.0)

    def value(self, states, actions):
        return self.critic(tf.concat([states, actions], axis=1) * self.scale)[:, 0]

    def batch(self, rng, size=16):
        rows = [self.buffer[i] for i in rng.integers(0, len(self.buffer), size)]
        return Transition(*(tf.constant(np.array(c), tf.float32) for c in zip(*rows)))

    def learn(self, rng, gamma=0.95):
        batch = self.batch(rng)
        goal = batch.reward + gamma * self.value(batch.following, self.actor(batch.following))
        error = goal - self.value(batch.state, batch.action)
        with tf.GradientTape(persistent=True) as tape:
            critic_loss = tf.reduce_mean(error**2)
            actor_loss = -tf.reduce_mean(self.value(batch.state, self.actor(batch.state)))
        actor_grads = tape.gradient(actor_loss, self.actor_net.trainable_variables)
        critic_grads = tape.gradient(critic_loss, self.critic.trainable_variables)
        self.actor_optimizer.apply_gradients(zip(actor_grads, self.actor_net.trainable_variables))
        self.critic_optimizer.apply_gradients(zip(critic_grads, self.critic.trainable_variables))
        return float(critic_loss), float(actor_loss)


rng = np.random.default_rng(90)
agent, world = DDPG(), Pendulum(rng)
state = world.reset()
for _ in range(30):
    action = agent.actor(state[None])[0].numpy() + rng.normal(0.0, 0.1, 1)
    following, reward = world.step(action)
    agent.buffer.append(Transition(state, action, reward, following))
    state = following
print(agent.learn(rng))
