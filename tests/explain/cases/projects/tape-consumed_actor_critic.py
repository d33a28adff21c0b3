import contextlib
from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(140)


@dataclass(frozen=True)
class Settings:
    gamma: float = 0.9
    entropy: float = 0.01
    keep_tape: bool = False
    rate: float = 5e-3


class Corridor:
    """Walk to the right end of a corridor of five cells."""

    def __init__(self, length=5):
        self.length = length

    def features(self):
        return np.eye(self.length, dtype="float32")[self.cell]

    def reset(self):
        self.cell = 1
        return self.features()

    def step(self, action):
        self.cell = min(max(self.cell + (1 if action else -1), 0), self.length - 1)
        done = self.cell in (0, self.length - 1)
        return self.features(), float(self.cell == self.length - 1) - 0.05, done


class ActorCritic:
    def __init__(self, settings):
        self.settings = settings
        self.policy = tf.keras.Sequential(
            [tf.keras.Input((5,)), layers.Dense(8, activation="tanh"), layers.Dense(2)]
        )
        self.value = tf.keras.Sequential([layers.Dense(1)])
        self.optimizers = [tf.keras.optimizers.Adam(settings.rate) for _ in range(2)]

    @contextlib.contextmanager
    def recording(self):
        with tf.GradientTape(persistent=self.settings.keep_tape) as tape:
            yield tape

    def warm_up(self, states, returns):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch([v.value for v in self.value.trainable_variables])
            loss = tf.reduce_mean((self.value(states)[:, 0] - returns) ** 2)
        return tape.gradient(loss, self.value.trainable_variables)

    def losses(self, states, actions, returns):
        values = self.value(states)[:, 0]
        log_p = tf.nn.log_softmax(self.policy(states))
        chosen = tf.gather(log_p, actions, batch_dims=1)
        entropy = -tf.reduce_sum(tf.exp(log_p) * log_p, axis=1)
        advantage = tf.stop_gradient(returns - values)
        actor = -tf.reduce_mean(chosen * advantage + self.settings.entropy * entropy)
        return actor, tf.reduce_mean((returns - values) ** 2)

    def learn(self, states, actions, returns):
        with self.recording() as tape:
            actor, critic = self.losses(states, actions, returns)
        policy_grads = tape.gradient(actor, self.policy.trainable_variables)
        value_grads = tape.gradient(critic, self.value.trainable_variables)
        pairs = ((self.policy, policy_grads), (self.value, value_grads))
        for optimizer, (net, grads) in zip(self.optimizers, pairs):
            optimizer.apply_gradients(zip(grads, net.trainable_variables))


def rollout(world, rng, gamma):
    state, done, steps = world.reset(), False, []
    while not done:
        action = int(rng.integers(2))
        following, reward, done = world.step(action)
        steps.append([state, action, reward])
        state = following
    for step, after in zip(steps[-2::-1], steps[:0:-1]):
        step[2] += gamma * after[2]
    states, actions, returns = zip(*steps)
    return np.array(states), np.array(actions, "int32"), np.array(returns, "float32")


agent = ActorCritic(Settings())
rng = np.random.default_rng(140)
states, actions, returns = rollout(Corridor(), rng, agent.settings.gamma)
print("value network at the start:", agent.warm_up(states, returns))
for episode in range(3):
    agent.learn(*rollout(Corridor(), rng, agent.settings.gamma))
