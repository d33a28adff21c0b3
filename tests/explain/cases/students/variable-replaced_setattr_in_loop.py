import tensorflow as tf


class Pair(tf.Module):
    def __init__(self):
        super().__init__()
        self.up = tf.Variable(0.4)
        self.down = tf.Variable(-0.4)


pair = Pair()
for step in range(2):
    with tf.GradientTape() as tape:
        loss = (pair.up * 2.0 + pair.down - 1.0) ** 2
    grads = tape.gradient(loss, [pair.up, pair.down])
    for name, grad in zip(["up", "down"], grads):
        setattr(pair, name, getattr(pair, name) - 0.1 * grad)
