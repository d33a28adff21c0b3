import tensorflow as tf

mass = tf.Variable(2.0)
speed = tf.Variable([3.0, -1.0])
height = tf.Variable(5.0)
with tf.GradientTape(persistent=True) as tape:
    kinetic = 0.5 * mass * tf.reduce_sum(speed**2)
    potential = 9.81 * mass * height
    lagrangian = kinetic - potential
momentum = tape.gradient(kinetic, speed)
force = tape.gradient(lagrangian, height)
per_mass = [tape.gradient(part, mass) for part in (kinetic, potential)]
del tape
print(momentum.numpy(), force.numpy(), [float(each) for each in per_mass])
