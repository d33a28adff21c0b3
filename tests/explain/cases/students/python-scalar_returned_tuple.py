import tensorflow as tf


def measure(radius, height):
    volume = 3.1416 * radius**2 * height
    surface = 6.2832 * radius * (radius + height)
    return volume.numpy().item(), surface.numpy().item()


radius, height = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    volume, surface = measure(radius, height)
    cost = tf.square(volume - 10.0) + 0.5 * tf.constant(surface)

print("cost:", cost.numpy(), tape.gradient(cost, (height, radius)))
