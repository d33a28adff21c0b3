import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable([[0.5], [1.5]])
        self.offset = tf.Variable([0.1])

    def predict(self, x):
        return x @ self.slope + self.offset


first, second = Line(), Line()
x, y = tf.constant([[1.0, 2.0], [0.0, 1.0]]), tf.constant([[1.0], [2.0]])
for step in range(2):
    with tf.GradientTape() as tape:
        error = second.predict(x) - y
        loss = tf.reduce_mean(error**2)
    weights = list(first.trainable_variables)
    gradients = tape.gradient(loss, weights)
    print(step, gradients)
