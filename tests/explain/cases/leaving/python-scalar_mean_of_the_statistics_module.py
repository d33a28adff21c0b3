import statistics

import tensorflow as tf

weight = tf.Variable(0.6)
batches = [tf.constant([1.0, 2.0]), tf.constant([0.5, 1.5]), tf.constant([2.0, 0.1])]

with tf.GradientTape() as tape:
    losses = []
    for batch in batches:
        error = tf.reduce_mean((weight * batch - 1.0) ** 2)
        losses.append(float(error))
    loss = tf.constant(statistics.mean(losses))

print(loss.numpy(), tape.gradient(loss, weight))
