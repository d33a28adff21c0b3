"""Two mistakes in a row: the rate is stopped, and the cost becomes a Python number after it."""
import tensorflow as tf

base = tf.Variable(2.0, name="base")
growth = tf.Variable(0.5, name="growth")
years = tf.constant([1.0, 2.0, 3.0])

for step in range(3):
    with tf.GradientTape() as tape:
        rate = tf.stop_gradient(growth * 1.1)
        value = base * tf.exp(rate * years)
        total = float(tf.reduce_sum(value))
        loss = (tf.constant(total) - 40.0) ** 2
    slopes = tape.gradient(loss, [base, growth])
    print(step, slopes)
