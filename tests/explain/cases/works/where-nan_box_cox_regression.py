"""Regression of skewed incomes: the Box-Cox transformation of the response is learnt along with the coefficients."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(2)
rng = np.random.default_rng(2)


class BoxCox(tf.Module):
    """y -> (y**power - 1) / power, which tends to log(y) as the power goes to 0."""

    def __init__(self, power=0.0):
        super().__init__()
        self.power = tf.Variable(power, name="power")

    def __call__(self, y):
        bent = (y**self.power - 1.0) / self.power
        return tf.where(self.power == 0.0, tf.math.log(y), bent)

    def log_slope(self, y):
        """Logarithm of the derivative, for the likelihood."""
        return (self.power - 1.0) * tf.math.log(y)


class Regression(tf.Module):
    def __init__(self, features):
        super().__init__()
        self.transform = BoxCox()
        self.coefficients = tf.Variable(tf.zeros([features]), name="coefficients")
        self.intercept = tf.Variable(0.0, name="intercept")
        self.log_sigma = tf.Variable(0.0, name="log_sigma")

    def nll(self, x, y):
        mean = tf.linalg.matvec(x, self.coefficients) + self.intercept
        residual = (self.transform(y) - mean) * tf.exp(-self.log_sigma)
        per_row = 0.5 * residual**2 + self.log_sigma - self.transform.log_slope(y)
        return tf.reduce_mean(per_row)


def incomes(count):
    x = rng.normal(size=(count, 2))
    y = np.exp(0.6 * x[:, 0] - 0.3 * x[:, 1] + 0.5 + 0.4 * rng.normal(size=count))
    return tf.constant(x, tf.float32), tf.constant(y, tf.float32)


x, y = incomes(40)
model = Regression(features=2)
optimizer = tf.keras.optimizers.SGD(0.05)
weights = [model.coefficients, model.intercept, model.log_sigma, model.transform.power]

for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = model.nll(x, y)
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(epoch, float(loss), "power", float(model.transform.power))
