"""Save a small model, load it again, and fine-tune it together with a scale of its results."""

import tempfile

import tensorflow as tf


class Curve(tf.Module):
    def __init__(self):
        super().__init__()
        self.rise = tf.Variable([[0.4], [-0.6]], name="rise")
        self.start = tf.Variable([0.1], name="start")

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def __call__(self, x):
        return tf.tanh(x @ self.rise) + self.start


curve = Curve()
folder = tempfile.mkdtemp()
tf.saved_model.save(curve, folder)
again = tf.saved_model.load(folder)
scale = tf.Variable(1.0, name="scale")

x = tf.constant([[1.0, 0.5], [-0.3, 0.8], [0.2, -1.0]])
y = tf.constant([[0.9], [-0.8], [1.1]])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((scale * again(x) - y) ** 2)
    weights = [again.rise, again.start]
    gradients = tape.gradient(loss, [*weights, scale])
    for variable, gradient in zip([*weights, scale], gradients):
        if gradient is None:
            print("no gradient:", variable.name)
        else:
            variable.assign_sub(0.1 * gradient)
    print(step, round(float(loss), 4))
