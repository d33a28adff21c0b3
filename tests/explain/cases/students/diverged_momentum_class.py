import tensorflow as tf


class Momentum:
    def __init__(self, rate, variables):
        self.rate = rate
        self.variables = variables
        self.velocity = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]

    def apply(self, grads):
        for v, g, speed in zip(self.variables, grads, self.velocity):
            speed.assign(0.9 * speed + g)
            v.assign_sub(self.rate * speed)


x = tf.constant([[5.0, 3.0], [8.0, -2.0]])
w, b = tf.Variable([0.1, 0.1]), tf.Variable(0.0)
optimiser = Momentum(rate=0.9, variables=[w, b])
for step in range(24):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) + b - 1.0) ** 2)
    optimiser.apply(tape.gradient(loss, [w, b]))
