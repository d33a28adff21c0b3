import tensorflow as tf


def reversed_by(strength):
    @tf.custom_gradient
    def flip(x):
        return tf.identity(x), lambda dy: -strength * dy

    return flip


w = tf.Variable([[0.3, -0.2]])
x, domain = tf.constant([[1.0], [2.0]]), tf.constant([[1.0], [0.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        features = reversed_by(0.5 * step)(x @ w)
        loss = tf.reduce_mean((tf.reduce_sum(features, axis=1, keepdims=True) - domain) ** 2)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
    print(step, gradient)
