import tensorflow as tf

rates = tf.Variable([0.2, 0.5, 0.3])

with tf.GradientTape() as tape:
    growth = tf.exp(rates)

shares = growth / tf.reduce_sum(growth)
print(tape.jacobian(shares, rates, unconnected_gradients="zero").numpy())
