"""A damped spring, simulated: which stiffness brings it to rest at the right place?"""

import tensorflow as tf

stiffness = tf.Variable(2.0)
damping = tf.Variable(0.3)
dt = 0.05
with tf.GradientTape() as tape:
    x, v = tf.constant(1.0), tf.constant(0.0)
    for _ in range(100):
        a = -stiffness * x - damping * v
        v = v + dt * a
        x = x + dt * v
    loss = (x - 0.2) ** 2
print(tape.gradient(loss, [stiffness, damping]))
