import tensorflow as tf

sums = tf.Variable([4.0, 0.0, 3.0])
counts = tf.constant([2.0, 0.0, 1.0])
with tf.GradientTape() as tape:
    means = tf.math.divide_no_nan(sums, counts)
    is_full = counts > 0.0
    safe = tf.where(is_full, counts, 1.0)
    logs = tf.where(is_full, tf.math.log(safe) * sums, 0.0)
    loss = tf.reduce_sum((means - 2.5) ** 2) + tf.reduce_sum(logs)
print(tape.gradient(loss, sums).numpy())
