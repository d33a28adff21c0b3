import tensorflow as tf

upper = tf.Variable(1.0, trainable=False)
lower = tf.Variable(0.0, trainable=False)


class Valve(tf.Module):
    def __init__(self):
        self.opening = tf.Variable(0.4)

    def __call__(self, inflow):
        upper.assign(upper + inflow - self.opening)
        lower.assign(lower + 0.5 * upper)
        return lower


valve = Valve()
with tf.GradientTape() as tape:
    waste = tf.square(valve(0.3)) + 0.1 * tf.square(valve.opening)
print(tape.gradient(waste, valve.opening))
