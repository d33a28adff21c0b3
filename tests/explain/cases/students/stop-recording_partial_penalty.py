import tensorflow as tf

w = tf.Variable([1.0, -2.0, 0.5])
x = tf.constant([0.3, 0.8, -0.4])

with tf.GradientTape() as tape:
    fit = (tf.reduce_sum(w * x) - 1.0) ** 2
    with tape.stop_recording():
        penalty = 0.1 * tf.reduce_sum(w * w)
    objective = fit + penalty

grad = tape.gradient(objective, w)
print("objective:", objective.numpy(), "gradient:", grad.numpy())
