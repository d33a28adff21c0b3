import tensorflow as tf

w = tf.Variable([0.5, 2.0])
tracker = tf.keras.metrics.Mean()
with tf.GradientTape() as tape:
    error = tf.reduce_mean((w - 1.0) ** 2)
    tracker.update_state(error)
    loss = tracker.result()
print(tape.gradient(loss, w))
