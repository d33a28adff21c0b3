import tensorflow as tf


class Scale(tf.Module):
    def __init__(self, value):
        super().__init__()
        self.factor = tf.Variable(value, trainable=False)

    def __call__(self, x):
        return x * self.factor


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.3], [0.9]])
        self.scale = Scale(2.0)

    def __call__(self, x):
        return self.scale(tf.tanh(x @ self.w))


net = Net()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((net(tf.constant([[1.0, -1.0]])) - 1.0) ** 2)
print(tape.gradient(loss, [net.w, net.scale.factor]))
