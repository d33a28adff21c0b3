import tensorflow as tf

filters = tf.Variable([[0.5, -0.2, 0.0], [0.0, 0.0, 0.7]])

with tf.GradientTape() as tape:
    budget = 0.0
    for row in filters:
        active = tf.math.count_nonzero(row, dtype=tf.float32)
        budget += 0.1 * active
    sparsity = budget**2

print("sparsity:", float(sparsity), "grad:", tape.gradient(sparsity, filters))
