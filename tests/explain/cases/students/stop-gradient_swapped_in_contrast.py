import tensorflow as tf


def attract(moving, fixed):
    return tf.reduce_sum((moving - tf.stop_gradient(fixed)) ** 2)


anchors = tf.constant([[1.0, 0.0], [0.0, 1.0]])
student = tf.Variable([[0.2, 0.1], [0.3, 0.4]])
with tf.GradientTape() as tape:
    loss = attract(anchors, 2.0 * student)
print(tape.gradient(loss, student))
