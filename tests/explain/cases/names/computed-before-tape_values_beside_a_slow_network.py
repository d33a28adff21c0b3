import tensorflow as tf


class Values(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.stateless_normal([3, 2], [5, 6]))
        self.bias = tf.Variable(tf.zeros([2]))

    def of(self, state):
        return state @ self.kernel + self.bias


fast, slow = Values(), Values()
state = tf.random.stateless_normal([5, 3], [7, 8])
after = tf.random.stateless_normal([5, 3], [9, 10])
chosen = tf.one_hot([0, 1, 1, 0, 1], 2)

value = tf.reduce_sum(fast.of(state) * chosen, axis=1)
with tf.GradientTape() as tape:
    goal = 1.0 + 0.9 * tf.reduce_max(slow.of(after), axis=1)
    loss = tf.reduce_mean((goal - value) ** 2)
gradients = tape.gradient(loss, fast.trainable_variables)
print(gradients)
