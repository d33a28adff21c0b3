import tensorflow as tf


class Lens:
    def __init__(self):
        self.rays = tf.linspace(-0.5, 0.5, 5)

    def focus_error(self):
        bent = tf.sin(self.rays) * 1.5
        return tf.reduce_sum((bent - 0.1) ** 2)

    def sensitivity(self):
        with tf.GradientTape() as tape:
            error = self.focus_error()
            tape.watch(self.rays)
        return tape.gradient(error, self.rays)


print("sensitivity:", Lens().sensitivity())
