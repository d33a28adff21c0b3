import tensorflow as tf

w = tf.Variable([1.0, -0.5])
now, then = tf.constant([1.0, 2.0]), tf.constant([2.0, 1.0])

with tf.GradientTape() as tape:
    forecast = 1.0 + 0.9 * float(tf.reduce_sum(w * then))
    error = forecast - tf.reduce_sum(w * now)
    loss = tf.abs(error)
gradient = tape.gradient(loss, w)
print(gradient)
