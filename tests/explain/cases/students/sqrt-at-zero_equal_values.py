import tensorflow as tf


class Whiten(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.table = tf.Variable(start)

    def spread(self):
        return tf.math.reduce_std(self.table, axis=1)


whiten = Whiten([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(whiten.spread() - 1.0))

print("loss:", loss.numpy(), tape.gradient(loss, whiten.table).numpy())
