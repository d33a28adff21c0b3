import tensorflow as tf


def regression_loss(prediction, target):
    target = tf.stop_gradient(target)
    prediction = tf.math.l2_normalize(prediction, axis=-1)
    target = tf.math.l2_normalize(target, axis=-1)
    return 2.0 - 2.0 * tf.reduce_mean(tf.reduce_sum(prediction * target, axis=-1))


def symmetric_regression(predictions, targets):
    pairs = zip(predictions, targets)
    return tf.add_n([regression_loss(p, t) for p, t in pairs]) / len(predictions)
