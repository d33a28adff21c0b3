import tensorflow as tf

masses = [tf.Variable(1.0), tf.Variable(2.5)]
heights = [3.0, 1.5]


def potential(mass, height):
    return 9.81 * mass * height


with tf.GradientTape() as tape:
    total = sum(float(potential(m, h)) for m, h in zip(masses, heights))
    deficit = tf.square(tf.constant(total) - 50.0)

for mass, grad in zip(masses, tape.gradient(deficit, masses)):
    print(mass.numpy(), grad)
