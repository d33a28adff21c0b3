import tensorflow as tf


class Net:
    def __init__(self):
        self.body = tf.Variable([[0.5, -0.4], [0.1, 0.8]])
        self.head = tf.Variable([[1.0], [0.5]])
        self.cache = {}

    def features(self, x):
        if "features" not in self.cache:
            self.cache["features"] = tf.nn.softplus(tf.matmul(x, self.body))
        return self.cache["features"]


net = Net()
x = tf.constant([[1.0, 2.0], [0.0, 1.0]])
for epoch in range(2):
    with tf.GradientTape() as tape:
        out = tf.matmul(net.features(x), net.head)
        loss = tf.reduce_sum(out**2)
    print(epoch, tape.gradient(loss, [net.head, net.body]))
