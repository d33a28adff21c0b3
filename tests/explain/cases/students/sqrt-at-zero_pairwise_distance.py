import tensorflow as tf

points = tf.Variable([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]])

with tf.GradientTape() as tape:
    total = 0.0
    for p in tf.unstack(points):
        for q in tf.unstack(points):
            total += tf.norm(p - q)

print("total:", total.numpy(), "grad:", tape.gradient(total, points).numpy())
