import tensorflow as tf


def spearman(a, b):
    ranks = [tf.cast(tf.argsort(tf.argsort(v)), tf.float32) for v in (a, b)]
    centred = [rank - tf.reduce_mean(rank) for rank in ranks]
    return tf.reduce_sum(centred[0] * centred[1])


scores = tf.Variable([0.3, 0.9, 0.1])
with tf.GradientTape() as tape:
    loss = -spearman(scores, tf.constant([1.0, 2.0, 3.0]))
print(tape.gradient(loss, scores))
