import tensorflow as tf


def potential(r):
    return 4.0 * (r**-12.0 - r**-6.0)


r = tf.constant(1.2)
with tf.GradientTape() as curvature_tape:
    with tf.GradientTape() as force_tape:
        force_tape.watch(r)
        energy = potential(r)
    slope = force_tape.gradient(energy, r)

stiffness = curvature_tape.gradient(slope, r)
print("force:", -slope.numpy(), "stiffness:", stiffness)
