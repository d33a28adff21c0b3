import tensorflow as tf

w = tf.Variable([[0.5], [1.0]])
inputs = tf.constant([[1.0, 0.0], [1.0, 1.0]])
goal = tf.constant([[1.0], [0.0]])

with tf.GradientTape() as tape:
    diff = tf.stop_gradient(goal - tf.matmul(inputs, w))
    loss = tf.reduce_mean(diff**2)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, [w]))
