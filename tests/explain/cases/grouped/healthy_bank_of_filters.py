"""Six filters in turn over four rounds; each round asks for all six."""
import tensorflow as tf

tf.random.set_seed(3)
filters = [tf.Variable(tf.random.normal([4]), name=f"filter_{i}") for i in range(6)]
x = tf.random.uniform((5, 4))
for step in range(4):
    with tf.GradientTape() as tape:
        out = tf.zeros_like(x)
        for each in filters:
            out += tf.tanh(x * each)
        loss = tf.reduce_mean(tf.square(out - 1.0))
    for each, gradient in zip(filters, tape.gradient(loss, filters)):
        each.assign_sub(0.1 * gradient)
