import tensorflow as tf


class Curve:
    def __init__(self, degree):
        self.degree = degree

    @property
    def params(self):
        return {f"c{k}": tf.Variable(0.1, name=f"c{k}") for k in range(self.degree)}

    def __call__(self, x):
        params = self.params
        return tf.add_n([params[f"c{k}"] * x**k for k in range(self.degree)])


curve = Curve(3)
x = tf.constant([0.0, 0.5, 1.0])
with tf.GradientTape() as tape:
    error = tf.reduce_mean((curve(x) - tf.exp(x)) ** 2)
print(tape.gradient(error, curve.params))
