import tensorflow as tf

speed = tf.Variable(3.0)
drag = tf.constant(0.2)

for step in range(3):
    with tf.GradientTape() as tape:
        v = float(speed)
        power = drag * v**3
    slope = tape.gradient(power, speed) or 0.0
    speed.assign_sub(0.1 * slope)
print("speed", speed.numpy())
