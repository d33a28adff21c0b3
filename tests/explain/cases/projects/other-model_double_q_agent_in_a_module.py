import numpy as np
import tensorflow as tf

from dqn_parts.agent import Agent

tf.keras.utils.set_random_seed(5)
MOVES = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype="float32")


class Memory:
    def __init__(self, capacity):
        self.rows, self.capacity = [], capacity

    def add(self, *row):
        self.rows = [*self.rows, row][-self.capacity :]

    def sample(self, count, rng):
        rows = [self.rows[i] for i in rng.choice(len(self.rows), count, replace=False)]
        return [np.array(column) for column in zip(*rows)]


def play(memory, rng, steps):
    state = rng.uniform(-1, 1, 2).astype("float32")
    for _ in range(steps):
        action = int(rng.integers(4))
        following = np.clip(state + 0.3 * MOVES[action], -1, 1)
        reward = np.float32(-np.linalg.norm(following))
        memory.add(state, action, reward, following)
        state = following


rng = np.random.default_rng(5)
memory = Memory(50)
play(memory, rng, 20)
agent = Agent(2, 4)
optimizer = tf.keras.optimizers.Adam(1e-3)
for step in range(3):
    states, chosen, rewards, following = memory.sample(8, rng)
    goals = agent.goals(rewards, following)
    with tf.GradientTape() as tape:
        loss = agent.loss(states, chosen, goals)
    grads = tape.gradient(loss, agent.online.trainable_variables)
    optimizer.apply_gradients(zip(grads, agent.online.trainable_variables))
    if step % 2 == 1:
        agent.synchronize()
    print(step, float(loss))
