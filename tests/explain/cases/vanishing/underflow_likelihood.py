import tensorflow as tf

tf.random.set_seed(35)
flips = tf.cast(tf.random.uniform([110]) < 0.7, tf.float32)
p = tf.Variable(0.45)
for step in range(5):
    with tf.GradientTape() as tape:
        each = flips * p + (1.0 - flips) * (1.0 - p)
        likelihood = tf.reduce_prod(each)
        loss = -likelihood
    p.assign_sub(0.1 * tape.gradient(loss, p))
