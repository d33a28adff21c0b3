import tensorflow as tf

x = tf.constant([[0.2], [0.5], [0.8]])
inner = tf.Variable([[1.0, -1.0, 2.0]])
offset = tf.Variable([0.1, 0.7, -0.3])
outer = tf.Variable([[0.5], [0.4], [-0.6]])


def deflection(place):
    return tf.nn.relu(place @ inner + offset) @ outer


with tf.GradientTape() as second:
    second.watch(x)
    with tf.GradientTape() as first:
        first.watch(x)
        shape = deflection(x)
    slope = first.gradient(shape, x)
curvature = second.gradient(slope, x)
print(curvature)
