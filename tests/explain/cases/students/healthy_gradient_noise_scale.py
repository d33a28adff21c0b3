import tensorflow as tf

w = tf.Variable([0.5, -0.5])
xs = [tf.constant([1.0, 2.0]), tf.constant([2.0, -1.0]), tf.constant([0.0, 1.0])]
grads = []
for x in xs:
    with tf.GradientTape() as tape:
        loss = (tf.reduce_sum(w * x) - 1.0) ** 2
    grads.append(tape.gradient(loss, w))
mean = tf.add_n(grads) / len(grads)
spread = tf.add_n([tf.reduce_sum((g - mean) ** 2) for g in grads])
w.assign_sub(0.1 * mean)
with tf.GradientTape() as tape:
    loss = tf.add_n([(tf.reduce_sum(w * x) - 1.0) ** 2 for x in xs])
print(spread.numpy(), tape.gradient(loss, w).numpy())
