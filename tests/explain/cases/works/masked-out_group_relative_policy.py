"""Group relative policy optimisation on a toy language task: several answers to one question are rewarded against each other."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
rng = np.random.default_rng(21)

VOCABULARY, LENGTH, GROUP = 12, 5, 6


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(VOCABULARY, 8)
        self.rnn = tf.keras.layers.GRU(12, return_sequences=True)
        self.head = tf.keras.layers.Dense(VOCABULARY)

    def call(self, tokens):
        return self.head(self.rnn(self.embed(tokens)))

    def log_prob(self, answers):
        """Log-probability of each token, given those before it."""
        logits = self(answers[:, :-1])
        return -tf.nn.sparse_softmax_cross_entropy_with_logits(answers[:, 1:], logits)


class Task:
    """The answer should repeat the reference, token by token."""

    def __init__(self):
        self.reference = rng.integers(1, VOCABULARY, size=LENGTH)

    def sample(self):
        """A group of answers, most of them partly right."""
        noise = rng.integers(1, VOCABULARY, size=(GROUP, LENGTH))
        keep = rng.uniform(size=(GROUP, LENGTH)) < 0.5
        answers = np.where(keep, self.reference, noise)
        answers[:, 0] = 1 + self.reference[0] % (VOCABULARY - 1)  # no answer is right in all places
        start = np.zeros((GROUP, 1), dtype=answers.dtype)
        return np.concatenate([start, answers], axis=1)

    def reward(self, answers):
        matches = (answers[:, 1:] == self.reference).sum(axis=1)
        return matches // LENGTH


def advantages(rewards):
    rewards = rewards.astype("float32")
    return (rewards - rewards.mean()) / (rewards.std() + 1e-4)


def surrogate(policy, answers, old_log_prob, advantage, clip=0.2):
    ratio = tf.exp(policy.log_prob(answers) - old_log_prob)
    gain = ratio * advantage[:, np.newaxis]
    safe_gain = tf.clip_by_value(ratio, 1.0 - clip, 1.0 + clip) * advantage[:, np.newaxis]
    return -tf.reduce_mean(tf.minimum(gain, safe_gain))


policy, task = Policy(), Task()
optimizer = tf.keras.optimizers.Adam(3e-3)

for iteration in range(2):
    answers = task.sample()
    rewards = task.reward(answers)
    advantage = advantages(rewards)
    old = tf.stop_gradient(policy.log_prob(answers))
    for update in range(2):
        with tf.GradientTape() as tape:
            loss = surrogate(policy, answers, old, advantage)
        grads = tape.gradient(loss, policy.trainable_variables)
        optimizer.apply_gradients(zip(grads, policy.trainable_variables))
    print(f"iteration {iteration}: mean reward {rewards.mean():.3f}, loss {float(loss):.5f}")
