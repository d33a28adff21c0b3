import tensorflow as tf


class Stack(tf.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = []
        self.weights = [tf.Variable(tf.eye(2) * 0.5) for _ in range(depth)]
        self.scale = tf.Variable(1.0)

    def __call__(self, x):
        for block in self.blocks:
            x = tf.tanh(x @ block)
        return x * self.scale


stack = Stack(1)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(stack(tf.ones([1, 2])))
print(tape.gradient(y, stack.weights + [stack.scale]))
