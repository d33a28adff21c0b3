import tensorflow as tf

kernel = tf.Variable([[3.0, -2.0], [1.0, 4.0]])
bias = tf.Variable([0.5, -0.5])
x = tf.constant([[10.0, -4.0]])

with tf.GradientTape() as tape:
    loss = tf.reduce_sum((x @ kernel + bias) ** 2)
grads = tape.gradient(loss, [kernel, bias])
size = tf.sqrt(sum(tf.reduce_sum(g**2) for g in grads))
clipped = [g * (5.0 / float(size)) if size > 5.0 else g for g in grads]
for v, g in zip([kernel, bias], clipped):
    v.assign_sub(0.1 * tf.clip_by_norm(g, 2.0))
print("size before clipping:", float(size), kernel.numpy().tolist())
