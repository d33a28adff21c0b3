import tensorflow as tf


@tf.custom_gradient
def hard_tanh(x):
    def grad(upstream):
        linear = tf.cast(tf.abs(x) >= 1.0, x.dtype)
        return upstream * linear

    return tf.clip_by_value(x, -1.0, 1.0), grad


scores = tf.Variable([0.4, -0.8, 0.5])
value = tf.constant([1.0, 2.0, 3.0])
for step in range(2):
    with tf.GradientTape() as tape:
        missing = tf.reduce_sum((1.0 - hard_tanh(scores)) * value)
    gradient = tape.gradient(missing, scores)
    scores.assign_sub(0.1 * gradient)
    print(step, gradient)
