import tensorflow as tf

scores = tf.Variable([0.2, 0.5, 0.1])
is_rare = tf.constant([False, False, False])

with tf.GradientTape() as tape:
    rare = tf.boolean_mask(scores, is_rare)
    loss = tf.reduce_sum((rare - 1.0) ** 2)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, scores))
