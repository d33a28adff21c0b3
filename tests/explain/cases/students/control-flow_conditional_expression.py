import tensorflow as tf

humidity = tf.Variable(0.8)
size = tf.Variable(3.0)

with tf.GradientTape() as tape:
    factor = 1.5 if humidity > 0.6 else 1.0
    water = factor * size**2

print("water:", water.numpy(), tape.gradient(water, [humidity, size]))
