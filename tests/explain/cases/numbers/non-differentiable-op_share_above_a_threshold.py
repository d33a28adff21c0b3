import tensorflow as tf

cut = tf.Variable(0.4)
scores = tf.constant([0.1, 0.35, 0.6, 0.9])
ill = tf.constant([0.0, 1.0, 1.0, 1.0])

with tf.GradientTape() as tape:
    called = tf.cast(scores > cut, tf.float32)
    missed = tf.reduce_sum(ill * (1.0 - called))
    false_alarms = tf.reduce_sum((1.0 - ill) * called)
    cost = 5.0 * missed + false_alarms
print(tape.gradient(cost, cut))
