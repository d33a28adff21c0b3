import tensorflow as tf

limit = tf.constant(100.0)
loads = tf.Variable([20.0, 35.0, 50.0])
with tf.GradientTape() as tape:
    excess = tf.maximum(loads - limit, 0.0)
    penalty = tf.reduce_sum(excess**2)
print(penalty.numpy(), tape.gradient(penalty, loads).numpy())
