import tensorflow as tf


def derivatives(f, at):
    x = tf.constant(at)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return float(y), float(first), float(outer.gradient(first, x))


for place in (0.5, 1.0, 1.5):
    print(place, derivatives(lambda t: tf.exp(-t) * tf.sin(3.0 * t), place))
