import tensorflow as tf

tf.random.set_seed(58)
flips = tf.cast(tf.random.uniform([500]) < 0.7, tf.float32)
p = tf.Variable(0.45)
for step in range(40):
    with tf.GradientTape() as tape:
        each = flips * p + (1.0 - flips) * (1.0 - p)
        loss = -tf.reduce_sum(tf.math.log(each))
    p.assign_sub(0.0003 * tape.gradient(loss, p))
