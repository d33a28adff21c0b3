"""REINFORCE with a baseline in a corridor of its own making."""

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
eps = np.finfo(np.float32).eps.item()


class Corridor:
    """Seven places; the goal is at the right end. Moves: 0 left, 1 right."""

    def reset(self):
        self.place, self.moves = 3, 0
        return self.observe()

    def observe(self):
        return np.eye(7, dtype=np.float32)[self.place]

    def step(self, action):
        self.place = int(np.clip(self.place + (1 if action == 1 else -1), 0, 6))
        self.moves += 1
        at_goal = self.place == 6
        return self.observe(), 1.0 if at_goal else -0.05, at_goal or self.moves >= 12


class ActorCritic(tf.keras.Model):
    """Combined actor-critic network."""

    def __init__(self, num_actions, num_hidden_units):
        super().__init__()
        self.common = tf.keras.layers.Dense(num_hidden_units, activation="relu")
        self.actor = tf.keras.layers.Dense(num_actions)
        self.critic = tf.keras.layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


env = Corridor()
model = ActorCritic(2, 16)
model(tf.zeros([1, 7]))
for variable in model.trainable_variables:
    if len(variable.shape) == 2:
        variable.assign(rng.normal(scale=0.3, size=variable.shape))


def run_episode(model, max_steps):
    """Runs a single episode to collect training data."""
    action_probs = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
    values = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
    rewards = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
    state = env.reset()
    for t in range(max_steps):
        action_logits_t, value = model(tf.expand_dims(state, 0))
        action_probs_t = tf.nn.softmax(action_logits_t)
        action = int(rng.rand() < float(action_probs_t[0, 1]))
        values = values.write(t, tf.squeeze(value))
        action_probs = action_probs.write(t, action_probs_t[0, action])
        state, reward, done = env.step(action)
        rewards = rewards.write(t, reward)
        if done:
            break
    return action_probs.stack(), values.stack(), rewards.stack()


def get_expected_return(rewards, gamma, standardize=True):
    n = tf.shape(rewards)[0]
    returns = tf.TensorArray(dtype=tf.float32, size=n)
    rewards = rewards[::-1]
    discounted_sum = tf.constant(0.0)
    for i in tf.range(n):
        discounted_sum = rewards[i] + gamma * discounted_sum
        returns = returns.write(i, discounted_sum)
    returns = returns.stack()[::-1]
    if standardize:
        returns = (returns - tf.math.reduce_mean(returns)) / (tf.math.reduce_std(returns) + eps)
    return returns


huber_loss = tf.keras.losses.Huber(reduction="sum")


def compute_loss(action_probs, values, returns):
    advantage = returns - values
    actor_loss = -tf.math.reduce_sum(tf.math.log(action_probs) * tf.stop_gradient(advantage))
    return actor_loss + huber_loss(values, returns)


optimizer = tf.keras.optimizers.Adam(learning_rate=0.02)


def train_step(model, gamma):
    with tf.GradientTape() as tape:
        action_probs, values, rewards = run_episode(model, 12)
        returns = get_expected_return(rewards, gamma)
        action_probs, values, returns = [
            tf.expand_dims(x, 1) for x in [action_probs, values, returns]
        ]
        loss = compute_loss(action_probs, values, returns)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return tf.math.reduce_sum(rewards), loss, grads


episode_rewards = []
for episode in range(24):
    reward, loss, grads = train_step(model, gamma=0.95)
    episode_rewards.append(float(reward))
    if episode < 3:
        print("episode %d: reward %.2f, loss %.3f" % (episode, reward, loss))

print([tuple(g.shape) for g in grads])
print("learned:", np.mean(episode_rewards[-8:]) > np.mean(episode_rewards[:8]))
print("goes right:", bool(tf.argmax(model(tf.eye(7))[0][3]) == 1))

# The reward itself has no slope: the environment is no part of the tape.
with tf.GradientTape() as tape:
    _, _, rewards = run_episode(model, 12)
    total = tf.reduce_sum(rewards)
print(tape.gradient(total, model.trainable_variables))
