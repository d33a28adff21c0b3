import tensorflow as tf

throw = tf.Variable(8.0)
dt = 0.05
with tf.GradientTape() as tape:
    height, speed, steps = tf.constant(1.5), throw * 1.0, 0
    while height > 0.0:
        speed = speed - 9.81 * dt
        height = height + speed * dt
        steps += 1
    flight = tf.constant(steps * dt)
print("in the air for", flight.numpy(), "slope", tape.gradient(flight, throw))
