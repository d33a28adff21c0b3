import tensorflow as tf

speed = tf.Variable(20.0, name="speed")
drag = tf.Variable(0.3, name="drag")

with tf.GradientTape() as tape:
    power = drag * speed**3
    fuel = power / 100.0

now = {"a_speed": speed, "b_drag": drag.read_value()}
slopes = tape.gradient(fuel, now)
print("fuel:", fuel.numpy(), {k: v for k, v in slopes.items()})
