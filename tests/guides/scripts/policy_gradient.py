"""REINFORCE and an actor-critic on a small bandit with states."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(18)
eps = np.finfo(np.float32).eps.item()


class ActorCritic(tf.keras.Model):
    def __init__(self, num_actions, num_hidden_units):
        super().__init__()
        self.common = tf.keras.layers.Dense(num_hidden_units, activation="relu")
        self.actor = tf.keras.layers.Dense(num_actions)
        self.critic = tf.keras.layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


model = ActorCritic(2, 6)
model(tf.zeros([1, 3]))
model.set_weights([random.normal(size=w.shape).astype("float32") * 0.4 for w in model.get_weights()])
huber_loss = tf.keras.losses.Huber(reduction="sum")
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)


def get_expected_return(rewards, gamma, standardize=True):
    n = tf.shape(rewards)[0]
    returns = []
    rewards = tf.cast(rewards[::-1], dtype=tf.float32)
    discounted_sum = tf.constant(0.0)
    for i in tf.range(n):
        discounted_sum = rewards[i] + gamma * discounted_sum
        returns.append(discounted_sum)
    returns = tf.stack(returns)[::-1]
    if standardize:
        returns = (returns - tf.math.reduce_mean(returns)) / (tf.math.reduce_std(returns) + eps)
    return returns


for episode in range(3):
    states = tf.constant(random.normal(size=(8, 3)), tf.float32)
    draws = random.uniform(size=8)
    with tf.GradientTape() as tape:
        probs, values, rewards = [], [], []
        for t in range(8):
            logits, value = model(tf.expand_dims(states[t], 0))
            p = tf.nn.softmax(logits)
            action = int(draws[t] > float(p[0, 0]))
            probs.append(p[0, action])
            values.append(tf.squeeze(value))
            rewards.append(1.0 if (float(states[t, 0]) > 0) == bool(action) else 0.0)
        returns = get_expected_return(tf.constant(rewards), 0.99)
        action_probs, values, returns = [tf.expand_dims(v, 1) for v in (tf.stack(probs), tf.stack(values), returns)]
        advantage = returns - values
        actor_loss = -tf.math.reduce_sum(tf.math.log(action_probs) * advantage)
        loss = actor_loss + huber_loss(values, returns)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(episode, sum(rewards), float(loss), [round(float(tf.norm(g)), 4) for g in grads])
log_probs = tf.math.log(tf.gather(tf.nn.softmax(model(states)[0]), [0] * 8, axis=1, batch_dims=1))
print(log_probs.numpy().round(4))
