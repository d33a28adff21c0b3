import tensorflow as tf


class Block(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.w = tf.Variable([[start, 0.1], [-0.2, start]])

    def __call__(self, x):
        return tf.tanh(x @ self.w)


class Stack(tf.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [Block(0.3 + 0.1 * i) for i in range(depth)]

    def __call__(self, x):
        for _ in self.blocks:
            x = self.blocks[0](x)
        return x


net = Stack(3)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(tf.constant([[1.0, -0.5]])) ** 2)
print(tape.gradient(loss, [block.w for block in net.blocks]))
