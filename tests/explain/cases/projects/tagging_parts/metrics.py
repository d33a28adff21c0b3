"""Scores for several labels at once."""

import tensorflow as tf

THRESHOLD = 0.5


def counts(y, p):
    hard = tf.round(p)
    hits = tf.reduce_sum(hard * y, axis=0)
    return hits, tf.reduce_sum(hard, axis=0), tf.reduce_sum(y, axis=0)


def macro_f1(y, p, smooth=1e-6):
    hits, said, true = counts(y, p)
    return tf.reduce_mean((2.0 * hits + smooth) / (said + true + smooth))


def hamming(y, p):
    wrong = tf.not_equal(p > THRESHOLD, y > THRESHOLD)
    return tf.reduce_mean(tf.cast(wrong, tf.float32))
