import tensorflow as tf

votes = tf.Variable([3.0, 5.0, 0.0])


def entropy(counts):
    p = counts / tf.reduce_sum(counts)
    return -tf.reduce_sum(p * tf.math.log(p))


with tf.GradientTape() as tape:
    doubt = entropy(votes)
print(doubt.numpy(), tape.gradient(doubt, votes).numpy())
