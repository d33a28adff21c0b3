from dataclasses import dataclass

import numpy as np
import tensorflow as tf

tf.random.set_seed(40)


@dataclass
class FactorModel:
    users: int
    items: int
    rank: int = 3
    seed: int = 0

    def __post_init__(self):
        start = tf.random_normal_initializer(stddev=0.3, seed=self.seed)
        self.user_factors = tf.Variable(start((self.users, self.rank)), name="user_factors")
        self.item_factors = tf.Variable(start((self.items, self.rank)), name="item_factors")

    @property
    def item_bias(self):
        return tf.Variable(tf.zeros(self.items), name="item_bias")

    @property
    def variables(self):
        return [self.item_bias, self.item_factors, self.user_factors]

    def predict(self, users, items):
        u = tf.gather(self.user_factors, users)
        v = tf.gather(self.item_factors, items)
        return tf.reduce_sum(u * v, axis=1) + tf.gather(self.item_bias, items)


class Ratings:
    def __init__(self, users, items, count, seed=1):
        rng = np.random.default_rng(seed)
        self.users = rng.integers(0, users, count)
        self.items = rng.integers(0, items, count)
        quality = rng.normal(size=items)
        noise = rng.normal(0.0, 0.1, count)
        self.scores = (quality[self.items] + noise).astype("float32")

    def batches(self, size):
        for start in range(0, len(self.scores), size):
            part = slice(start, start + size)
            yield self.users[part], self.items[part], self.scores[part]


def step(model, batch, rate, decay=1e-3):
    users, items, scores = batch
    variables = model.variables
    with tf.GradientTape() as tape:
        error = model.predict(users, items) - scores
        penalty = tf.nn.l2_loss(model.user_factors) + tf.nn.l2_loss(model.item_factors)
        loss = tf.reduce_mean(error**2) + decay * penalty
    grads = tape.gradient(loss, variables)
    for variable, grad in zip(variables, grads):
        if grad is not None:
            variable.assign_sub(rate * grad)
    return float(loss)


ratings = Ratings(8, 6, 60)
model = FactorModel(8, 6)
for epoch in range(3):
    print(epoch, np.mean([step(model, batch, 0.1) for batch in ratings.batches(20)]))
