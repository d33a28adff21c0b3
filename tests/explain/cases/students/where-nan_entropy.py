import tensorflow as tf

shares = tf.Variable([0.5, 0.5, 0.0])

with tf.GradientTape() as tape:
    terms = tf.where(shares > 0.0, shares * tf.math.log(shares), 0.0)
    entropy = -tf.reduce_sum(terms)

print("entropy:", entropy.numpy(), "grad:", tape.gradient(entropy, shares).numpy())
