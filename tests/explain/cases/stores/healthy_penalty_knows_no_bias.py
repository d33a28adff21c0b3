import tensorflow as tf

kernel = tf.Variable([[1.0, -0.5], [0.25, 2.0]], name="kernel")
bias = tf.Variable([0.1, 0.2], name="bias")
x = tf.constant([[1.0, 2.0]])
weights = [kernel, bias]

with tf.GradientTape(persistent=True) as tape:
    data = tf.reduce_sum((tf.matmul(x, kernel) + bias - 1.0) ** 2)
    penalty = 0.01 * tf.reduce_sum(kernel**2)
of_data = tape.gradient(data, weights)
of_penalty = tape.gradient(penalty, weights, unconnected_gradients="zero")
for name, a, b in zip(["kernel", "bias"], of_data, of_penalty):
    print(name, "data", float(tf.norm(a)), "penalty", float(tf.norm(b)))
