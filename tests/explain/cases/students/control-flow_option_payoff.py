import tensorflow as tf


def payoff(price, strike):
    if price > strike:
        return price - strike
    return tf.constant(0.0)


spot = tf.Variable(90.0)
with tf.GradientTape() as tape:
    final = spot * 1.05
    value = payoff(final, 100.0) * tf.exp(-0.02)
print("value:", value.numpy(), "delta:", tape.gradient(value, spot))
