import tensorflow as tf


def clipped_gradient(limit):
    @tf.custom_gradient
    def identity(x):
        def rule(upstream):
            size = tf.norm(upstream)
            factor = tf.minimum(1.0, limit / (size + 1e-9))
            clipped = factor * upstream

        return tf.identity(x), rule

    return identity


hold = clipped_gradient(0.5)
w = tf.Variable([3.0, -4.0], name="w")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(hold(w) ** 2)
print(tape.gradient(loss, w))
