import tensorflow as tf

w = tf.Variable([1.0, -2.0])
logged = []
with tf.GradientTape() as tape:
    penalty = tf.reduce_sum(tf.abs(w))
    penalty = float(penalty)
    logged.append(penalty)
    loss = tf.constant(0.5) * penalty
print(tape.gradient(loss, w), logged)
