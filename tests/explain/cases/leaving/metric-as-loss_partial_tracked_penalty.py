import tensorflow as tf

w = tf.Variable(2.0)
tracker = tf.keras.metrics.Mean()
x = tf.constant([1.0, 2.0])

with tf.GradientTape() as tape:
    fit = tf.reduce_mean(w * x)
    penalty = tracker(tf.square(w))
    loss = 0.4 * fit + penalty

print("loss:", loss.numpy(), "slope:", tape.gradient(loss, w).numpy())
