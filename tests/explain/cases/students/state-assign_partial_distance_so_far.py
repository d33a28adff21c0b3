import tensorflow as tf

speed = tf.Variable(2.0)
distance = tf.Variable(0.0, trainable=False)
with tf.GradientTape() as tape:
    for hours in (0.5, 1.0, 0.25):
        distance.assign_add(speed * hours)
    fuel = 0.05 * speed**2 + 0.1 * tf.abs(10.0 - distance)
cost = tape.gradient(fuel, speed)
