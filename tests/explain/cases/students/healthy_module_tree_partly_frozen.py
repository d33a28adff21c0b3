import tensorflow as tf


class Linear(tf.Module):
    def __init__(self, rows, columns, frozen=False):
        super().__init__()
        start = tf.random.stateless_normal([rows, columns], seed=[rows, columns])
        self.w = tf.Variable(start, trainable=not frozen)
        self.seen = tf.Variable(0, trainable=False)

    def __call__(self, x):
        self.seen.assign_add(1)
        return x @ self.w


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.parts = [Linear(2, 4, frozen=True), Linear(4, 3), Linear(3, 1)]

    def __call__(self, x):
        for part in self.parts[:-1]:
            x = tf.tanh(part(x))
        return self.parts[-1](x)


net = Net()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((net(tf.constant([[1.0, 2.0], [0.5, 0.1]])) - 1.0) ** 2)
grads = tape.gradient(loss, net.trainable_variables)
print(len(net.variables), [g.shape.as_list() for g in grads])
