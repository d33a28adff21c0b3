import tensorflow as tf


class Block(tf.Module):
    def __init__(self, bias):
        super().__init__()
        self.w = tf.Variable([[0.4, -0.2, 0.1]])
        self.b = tf.Variable([bias] * 3)

    def __call__(self, x):
        return tf.nn.relu(x * self.w + self.b)


block = Block(bias=-3.0)
mixing = tf.Variable([1.0, 1.0, 1.0])
with tf.GradientTape() as tape:
    activity = block(tf.constant([[1.0], [2.0]]))
    score = tf.reduce_sum(activity * mixing) + tf.reduce_sum(mixing**2)

print(tape.gradient(score, [block.b, block.w, mixing]))
