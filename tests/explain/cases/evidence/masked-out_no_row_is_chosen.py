"""Only rows above the limit count, and there is none."""
import tensorflow as tf

w = tf.Variable([0.5, 0.25])
values = tf.constant([[1.0, 2.0], [0.5, 1.0]])
with tf.GradientTape() as tape:
    scored = tf.reduce_sum(values * w, axis=1)
    chosen = tf.boolean_mask(scored, [False, False])
    loss = tf.reduce_sum(chosen)
print(tape.gradient(loss, w))
