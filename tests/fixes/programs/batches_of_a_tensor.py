import tensorflow as tf

w = tf.Variable([[1.0, 2.0], [3.0, 4.0], [0.5, 1.0]])
with tf.GradientTape() as tape:
    scaled = w * 2.0
    total = 0.0
    for rows in tf.data.Dataset.from_tensor_slices(scaled).batch(2):
        total += tf.reduce_sum(rows**2)
print(tape.gradient(total, w))
