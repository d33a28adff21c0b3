import tensorflow as tf


class Fit:
    def __init__(self):
        self.slope = tf.Variable(0.5)
        self.tape = None

    def error(self, x, y):
        with tf.GradientTape() as self.tape:
            return tf.reduce_mean((self.slope * x - y) ** 2)

    def step(self, train, test):
        error = self.error(*train)
        print("held out", float(self.error(*test)))
        return self.tape.gradient(error, self.slope)


x = tf.constant([1.0, 2.0])
print(Fit().step((x, 2.0 * x), (3.0 * x, 6.0 * x)))
