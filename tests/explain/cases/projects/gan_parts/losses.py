import tensorflow as tf


def wasserstein(real_scores, fake_scores):
    return tf.reduce_mean(fake_scores) - tf.reduce_mean(real_scores)


def generator_loss(fake_scores):
    return -tf.reduce_mean(fake_scores)


def slope_penalty(slopes):
    lengths = tf.sqrt(tf.reduce_sum(slopes**2, axis=1) + 1e-12)
    return tf.reduce_mean((lengths - 1.0) ** 2)
