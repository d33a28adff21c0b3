import tensorflow as tf

w = tf.Variable([1.0, 0.0, -1.0])
totals = [tf.Variable(tf.zeros_like(w), trainable=False)]
batches = [tf.constant([1.0, 2.0, 3.0]), tf.constant([0.5, 0.5, 0.5]), tf.constant([2.0, 0.0, 0.5])]

for i, batch in enumerate(batches):
    with tf.GradientTape() as tape:
        loss = (tf.reduce_sum(w * batch) - 1.0) ** 2 / len(batches)
    totals[0].assign_add(tape.gradient(loss, w))
w.assign_sub(0.1 * totals[0])
print(w.numpy())
