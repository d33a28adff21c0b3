import tensorflow as tf


class Perceptron:
    def __init__(self):
        self.w = tf.Variable([0.3, -0.2])

    def learn(self, x, y, rate):
        with tf.GradientTape() as tape:
            margin = y * tf.reduce_sum(self.w * x)
            loss = tf.nn.softplus(-margin)
        grad = tape.gradient(loss, self.w)
        self.w = self.w - rate * grad
        return float(loss)


machine = Perceptron()
for x, y in [([1.0, 0.5], 1.0), ([-0.5, 1.0], -1.0)]:
    print("loss:", machine.learn(tf.constant(x), y, rate=0.2))
