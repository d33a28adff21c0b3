from copy import deepcopy

import tensorflow as tf

start = tf.Variable([1.0, 2.0], name="start")
best = deepcopy(start)
with tf.GradientTape() as tape:
    cost = tf.reduce_sum(best**3)
print(tape.gradient(cost, start))
