import tensorflow as tf


class Chooser(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.stateless_normal([4, 3], [1, 2]))
        self.bias = tf.Variable(tf.zeros([3]))

    def scores(self, places):
        return places @ self.table + self.bias

    def odds(self, places, moves):
        return tf.reduce_sum(tf.nn.log_softmax(self.scores(places)) * moves, axis=1)


live, frozen = Chooser(), Chooser()
frozen.table.assign(live.table)
frozen.bias.assign(live.bias)

places = tf.random.stateless_normal([6, 4], [3, 4])
moves = tf.nn.softmax(3.0 * live.scores(places))
gain = tf.constant([1.0, -1.0, 0.5, 2.0, -0.5, 0.3])
before = frozen.odds(places, moves)
with tf.GradientTape() as tape:
    ratio = tf.exp(frozen.odds(places, moves) - before)
    loss = -tf.reduce_mean(ratio * gain)
gradients = tape.gradient(loss, live.trainable_variables)
print(gradients)
