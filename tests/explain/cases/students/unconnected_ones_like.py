import tensorflow as tf

shares = tf.Variable([0.2, 0.3, 0.5])
returns = tf.constant([1.1, 0.9, 1.2])

with tf.GradientTape() as tape:
    held = tf.ones_like(shares)
    outcome = tf.reduce_sum(held * returns)

print("outcome:", outcome.numpy(), "grad:", tape.gradient(outcome, shares))
