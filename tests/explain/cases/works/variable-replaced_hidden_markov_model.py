"""A hidden Markov model of the weather, fitted by gradient descent on the log-likelihood of what was observed."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(47)
rng = np.random.default_rng(47)

STATES, SYMBOLS = 3, 4


def observed(length):
    """Which of four kinds of weather there was on each day."""
    transition = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]])
    emission = np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.05, 0.15, 0.2, 0.6]])
    state, symbols = 0, []
    for _ in range(length):
        symbols.append(int(rng.choice(SYMBOLS, p=emission[state])))
        state = rng.choice(STATES, p=transition[state])
    return symbols


class HiddenMarkovModel:
    TABLES = ("transition", "emission")

    def __init__(self):
        self.start = tf.Variable(tf.zeros([STATES]))
        self.transition = tf.Variable(tf.random.normal([STATES, STATES], stddev=0.3))
        self.emission = tf.Variable(tf.random.normal([STATES, SYMBOLS], stddev=0.3))

    @property
    def parameters(self):
        return [self.start, self.transition, self.emission]

    def log_likelihood(self, symbols):
        """The forward algorithm, with logarithms throughout."""
        start = tf.nn.log_softmax(self.start)
        transition = tf.nn.log_softmax(self.transition, axis=1)
        emission = tf.nn.log_softmax(self.emission, axis=1)
        alpha = start + emission[:, symbols[0]]
        for symbol in symbols[1:]:
            alpha = tf.reduce_logsumexp(alpha[:, tf.newaxis] + transition, axis=0)
            alpha += emission[:, symbol]
        return tf.reduce_logsumexp(alpha)

    def normalise(self):
        """Keep the tables proper logarithms of probabilities, so that they can be read."""
        for name in self.TABLES:
            setattr(self, name, tf.nn.log_softmax(getattr(self, name), axis=1))

    def __str__(self):
        return np.array2string(np.exp(tf.nn.log_softmax(self.transition).numpy()), precision=2)


symbols = observed(25)
model = HiddenMarkovModel()

for epoch in range(4):
    with tf.GradientTape() as tape:
        loss = -model.log_likelihood(symbols) / len(symbols)
    grads = tape.gradient(loss, model.parameters)
    print(f"epoch {epoch}: {float(loss):.4f}")
    for parameter, grad in zip(model.parameters, grads):
        parameter.assign_sub(0.5 * grad)
    model.normalise()

print(model)
