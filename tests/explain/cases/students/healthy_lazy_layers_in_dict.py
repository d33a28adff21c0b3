import tensorflow as tf


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def weight(self, name, shape):
        if name not in self.cache:
            self.cache[name] = tf.Variable(tf.fill(shape, 0.1), name=name)
        return self.cache[name]

    def __call__(self, x):
        h = tf.tanh(x @ self.weight("first", [2, 3]))
        return h @ self.weight("second", [3, 1])


net = Net()
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(tf.constant([[1.0, 2.0]])) - 1.0) ** 2)
    grads = tape.gradient(loss, list(net.cache.values()))
    for v, g in zip(net.cache.values(), grads):
        v.assign_sub(0.1 * g)
print(len(net.cache))
