import tensorflow as tf


class Learner:
    def __init__(self):
        self.w = tf.Variable([0.5, -0.5])

    def loss(self, x, y):
        return tf.reduce_mean((tf.linalg.matvec(x, self.w) - y) ** 2)

    def adapt(self, x, y, rate, steps):
        for _ in range(steps):
            with tf.GradientTape() as inner:
                loss = self.loss(x, y)
            g = inner.gradient(loss, self.w)
            self.w = self.w - rate * g


rate = tf.Variable(0.1)
x, y = tf.constant([[1.0, 2.0], [0.0, 1.0]]), tf.constant([1.0, 0.5])
learner = Learner()
with tf.GradientTape() as outer:
    learner.adapt(x, y, rate, steps=2)
    after = learner.loss(x, y)
print(outer.gradient(after, rate))
