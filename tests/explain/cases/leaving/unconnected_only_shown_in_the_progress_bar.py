import sys

import tensorflow as tf

w = tf.Variable([1.0, -1.0])
temperature = tf.Variable(12.4)
x = tf.constant([0.5, 2.0])

with tf.GradientTape() as tape:
    scores = w * x
    sys.stdout.write("temperature %d degrees\n" % int(temperature))
    loss = tf.reduce_sum(tf.square(scores - 1.0))

print(tape.gradient(loss, [w, temperature]))
