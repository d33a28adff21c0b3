import tensorflow as tf

gain = tf.Variable(8.0)
setpoint = tf.Variable(21.0)
room = tf.constant([12.0, 14.0, 15.5])

with tf.GradientTape() as tape:
    heat = tf.clip_by_value(gain * (setpoint - room), 0.0, 10.0)
    warmer = room + 0.3 * heat
    discomfort = tf.reduce_mean((warmer - 20.0) ** 2)

print(heat.numpy(), tape.gradient(discomfort, {"gain": gain, "setpoint": setpoint}))
