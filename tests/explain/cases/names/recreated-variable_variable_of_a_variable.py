import tensorflow as tf

start = tf.Variable([0.5, 1.5])


class Curve(tf.Module):
    def __init__(self, points):
        super().__init__()
        self.points = tf.Variable(points)

    def length(self):
        return tf.reduce_sum(tf.sqrt(1.0 + self.points**2))


curve = Curve(start)
with tf.GradientTape() as tape:
    total = curve.length()
print(tape.gradient(total, start))
