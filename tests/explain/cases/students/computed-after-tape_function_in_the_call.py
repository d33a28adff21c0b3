import tensorflow as tf


def volume(radius):
    return 4.0 / 3.0 * 3.14159 * radius**3


def derivative(function, at):
    with tf.GradientTape() as tape:
        tape.watch(at)
    return tape.gradient(function(at), at)


radius = tf.constant(2.0)
print("surface:", derivative(volume, radius))
