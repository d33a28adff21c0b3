import tensorflow as tf

mass = tf.Variable(2.0)
velocity = tf.Variable(3.0)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        energy = 0.5 * mass * velocity
    momentum = inner.gradient(energy, velocity)

mass_again = outer.gradient(momentum, velocity)
print("momentum:", momentum.numpy(), "mass:", mass_again)
