import tensorflow as tf


class Net(tf.Module):
    def __init__(self, seed):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([2, 2], [seed, 0]), name="w")
        self.b = tf.Variable(tf.zeros([2]), name="b")

    def __call__(self, x):
        return tf.nn.tanh(x @ self.w + self.b)


teacher = Net(1)
student = Net(2)
x = tf.constant([[0.5, -1.0], [1.5, 0.25]])
goal = tf.stop_gradient(teacher(x))

with tf.GradientTape() as tape:
    guess = teacher(x + 0.1)
    loss = tf.reduce_mean(tf.square(guess - goal))
print(tape.gradient(loss, [student.w, student.b]))
