import tensorflow as tf

quality = tf.Variable([0.4, 0.1, 0.9, 0.6])
order = tf.constant([2.0, 3.0, 0.0, 1.0])

with tf.GradientTape() as tape:
    ranking = tf.argsort(quality, direction="DESCENDING")
    ranks = tf.argsort(ranking)
    loss = tf.reduce_sum((tf.cast(ranks, tf.float32) - order[::-1]) ** 2)

print("ranking:", ranking.numpy(), "grad:", tape.gradient(loss, quality))
