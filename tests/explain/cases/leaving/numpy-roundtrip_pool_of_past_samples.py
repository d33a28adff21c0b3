import numpy as np
import tensorflow as tf

tf.random.set_seed(3)


class History:
    """The last samples of the generator, for a critic that should not forget."""

    def __init__(self, room):
        self.room = room
        self.pool = []

    def mix(self, fresh):
        for sample in np.array(fresh):
            self.pool.append(sample)
        self.pool = self.pool[-self.room :]
        return tf.stack(self.pool)


slope = tf.Variable(tf.random.normal((2, 2)), name="slope")
shift = tf.Variable(tf.zeros(2), name="shift")
judge = tf.constant([[0.4], [-0.7]])
history = History(room=8)

for step in range(2):
    with tf.GradientTape() as tape:
        fakes = tf.tanh(tf.random.normal((4, 2)) @ slope + shift)
        scores = history.mix(fakes) @ judge
        loss = -tf.reduce_mean(scores)
    grads = tape.gradient(loss, [slope, shift])
    print(step, float(loss), grads)
