import tensorflow as tf


class Chooser(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.stateless_normal([4, 3], [1, 2]))

    def odds(self, places, moves):
        return tf.reduce_sum(tf.nn.log_softmax(places @ self.table) * moves, axis=1)


live, frozen = Chooser(), Chooser()
frozen.table.assign(live.table)
places = tf.random.stateless_normal([6, 4], [3, 4])
moves = tf.one_hot(tf.argmax(places @ live.table, axis=1), 3)
with tf.GradientTape() as tape:
    before = tf.stop_gradient(frozen.odds(places, moves))
    loss = -tf.reduce_mean(tf.exp(live.odds(places, moves) - before))
gradients = tape.gradient(loss, live.trainable_variables)
print(gradients)
