import tensorflow as tf

cells = tf.Variable(["0.5", "1.5", "-2.0"])
with tf.GradientTape() as tape:
    numbers = tf.strings.to_number(cells)
    total = tf.reduce_sum(numbers * numbers)

grad = tape.gradient(total, cells)
print("total:", total.numpy(), "grad:", grad)
