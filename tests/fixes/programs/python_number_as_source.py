import tensorflow as tf

speed = 3.0
with tf.GradientTape() as tape:
    energy = tf.constant(0.5) * speed**2
print(tape.gradient(energy, speed))
