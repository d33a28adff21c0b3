import tensorflow as tf

kernel = tf.Variable([[0.4], [-0.2]])


def bend(x, y):
    both = tf.concat([x, y], axis=1)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            height = tf.tanh(both @ kernel)
        slope = inner.gradient(height, x)
    return outer.gradient(slope, x)


print(bend(tf.constant([[0.5], [1.0]]), tf.constant([[1.0], [0.0]])))
