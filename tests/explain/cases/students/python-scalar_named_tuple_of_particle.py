from collections import namedtuple

import tensorflow as tf

Particle = namedtuple("Particle", "height speed")
thrust = tf.Variable(9.0)


def step(p, dt=0.1):
    speed = p.speed + (thrust - 9.81) * dt
    return Particle(float(p.height + speed * dt), float(speed))


with tf.GradientTape() as tape:
    p = Particle(10.0, -2.0)
    for _ in range(5):
        p = step(p)
    loss = tf.square(tf.constant(p.height)) + tf.square(tf.constant(p.speed))
print("thrust gradient:", tape.gradient(loss, thrust))
