import tensorflow as tf

temperature = tf.Variable([20.5, 21.0, 19.0])

with tf.GradientTape() as tape:
    table = tf.strings.as_string(temperature * 1.8 + 32.0)
    fahrenheit = tf.strings.to_number(table)
    deviation = tf.reduce_sum((fahrenheit - 70.0) ** 2)

print(table.numpy(), "grad:", tape.gradient(deviation, temperature))
