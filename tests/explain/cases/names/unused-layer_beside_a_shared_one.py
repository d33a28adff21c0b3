import tensorflow as tf


class Side(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.stateless_normal([2, 2], [4, 4]))

    def __call__(self, x):
        return tf.tanh(x @ self.kernel)


class Pair(tf.Module):
    def __init__(self):
        super().__init__()
        self.shared = Side()
        self.summary = Side()

    def distance(self, left, right):
        a = self.shared(left)
        b = self.shared(right)
        return tf.reduce_sum((a - b) ** 2)


pair = Pair()
with tf.GradientTape() as tape:
    loss = pair.distance(tf.constant([[1.0, 2.0]]), tf.constant([[0.5, -1.0]]))
weights = pair.trainable_variables
gradients = tape.gradient(loss, weights)
print(gradients)
