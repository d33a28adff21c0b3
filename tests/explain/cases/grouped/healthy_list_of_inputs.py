"""The sensitivity to five inputs, each watched."""
import tensorflow as tf

inputs = [tf.constant(float(i)) for i in range(1, 6)]
weights = tf.Variable([0.1, 0.2, 0.3, 0.4, 0.5])

with tf.GradientTape() as tape:
    tape.watch(inputs)
    score = tf.reduce_sum(tf.sin(tf.stack(inputs)) * weights)
print(tape.gradient(score, [*inputs, weights]))
