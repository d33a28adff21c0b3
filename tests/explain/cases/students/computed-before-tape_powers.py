import tensorflow as tf

z = tf.Variable(0.7)
powers = [z**k for k in range(1, 4)]
coefficients = [2.0, -1.0, 0.5]

with tf.GradientTape() as tape:
    series = 0.0
    for c, p in zip(coefficients, powers):
        series += c * p

slope = tape.gradient(series, z)
print("series:", series.numpy(), "slope:", slope)
