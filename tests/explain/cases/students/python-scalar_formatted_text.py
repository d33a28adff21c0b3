import tensorflow as tf

price = tf.Variable(3.14159)
with tf.GradientTape() as tape:
    rounded = float(f"{price * 2.0:.2f}")
    profit = tf.constant(rounded) * 10.0 - 4.0
print(profit.numpy(), tape.gradient(profit, price))
