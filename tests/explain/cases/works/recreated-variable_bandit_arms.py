"""A contextual bandit for articles: a shared network for the reader, one vector for each article that turns up."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)

CONTEXT, WIDTH = 5, 4


class Arm:
    """What is known of one article."""

    def __init__(self, width):
        self.theta = tf.Variable(tf.random.normal([width], stddev=0.3), name="theta")
        self.shown = 0

    def score(self, reader):
        return tf.reduce_sum(reader * self.theta, axis=-1)


class Bandit:
    def __init__(self, rate=0.05):
        self.trunk = tf.keras.layers.Dense(WIDTH, activation="tanh")
        self.trunk.build((None, CONTEXT))
        self.arms = {}
        self.rate = rate

    def arm(self, article):
        """Articles come and go: an arm is made when an article is seen for the first time."""
        return self.arms.get(article, Arm(WIDTH))

    def choose(self, context, articles, epsilon=0.1):
        if rng.uniform() < epsilon:
            return str(rng.choice(articles))
        scores = [float(self.arm(a).score(self.trunk(context))[0]) for a in articles]
        return articles[int(np.argmax(scores))]

    def learn(self, context, article, reward):
        with tf.GradientTape() as tape:
            expected = self.arm(article).score(self.trunk(context))
            loss = tf.reduce_mean((expected - reward) ** 2)
        self.arm(article).shown += 1
        weights = [*self.trunk.trainable_variables, self.arm(article).theta]
        grads = tape.gradient(loss, weights)
        for grad, weight in zip(grads, weights):
            if grad is not None:
                weight.assign_sub(self.rate * grad)
        return loss

    def reasons(self, context, better, worse):
        """Which features of the reader speak for one article and against another?"""
        context = tf.constant(context)
        with tf.GradientTape() as tape:
            tape.watch(context)
            reader = self.trunk(context)
            first, second = self.arm(better).score(reader), self.arm(worse).score(reader)
        return tape.gradient(first - second, context)


ARTICLES = ["sports", "politics", "science"]
bandit = Bandit()
for turn in range(6):
    context = rng.normal(size=(1, CONTEXT)).astype("float32")
    article = bandit.choose(context, ARTICLES)
    clicked = float(context[0, ARTICLES.index(article)] > 0.0)
    print(turn, article, clicked, float(bandit.learn(context, article, clicked)))

print(bandit.reasons(context, "sports", "science"))
