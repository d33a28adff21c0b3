import tensorflow as tf

w = tf.Variable([1.0, 2.0])

with tf.GradientTape() as tape:
    weight = tf.constant(w)
    loss = tf.reduce_sum(weight * w) + tf.reduce_sum(w)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w).numpy())
