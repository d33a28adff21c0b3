"""A softmax over seven classes, and a penalty on all of its probabilities alike."""
import tensorflow as tf

logits = tf.Variable([0.3, -1.2, 2.1, 0.7, -0.4, 1.9, 0.11])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(logits)
    penalty = 0.37 * tf.reduce_sum(p)
print(tape.gradient(penalty, logits))
