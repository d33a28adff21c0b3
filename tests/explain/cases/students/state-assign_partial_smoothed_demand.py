import tensorflow as tf

demand = [4.0, 6.0, 5.0, 7.0]
share = tf.Variable(0.5, name="share")
level = tf.Variable(4.0, trainable=False, name="level")

with tf.GradientTape() as tape:
    loss = 0.0
    for value in demand:
        expected = share * value + (1.0 - share) * level
        loss += (expected - value) ** 2
        level.assign(expected)
gradient = tape.gradient(loss, share)
share.assign_sub(0.01 * gradient)
