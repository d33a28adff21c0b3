import tensorflow as tf

angle = 0.5

with tf.GradientTape() as tape:
    height = tf.sin(angle) * 3.0

slope = tape.gradient(height, angle)
print("slope:", slope)
