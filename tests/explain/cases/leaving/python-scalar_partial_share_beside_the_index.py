import tensorflow as tf

table = tf.constant([0.0, 1.0, 4.0, 9.0])
x = tf.Variable(1.6)

with tf.GradientTape() as tape:
    index = int(x)
    fraction = x - index
    low, high = table[index], table[index + 1]
    curve = low + fraction * (high - low)
    weight = float(x) + 1.0
    y = weight * curve + fraction

print("y:", y.numpy(), "slope:", tape.gradient(y, x).numpy())
