import tensorflow as tf

stiffness = tf.Variable([2.0, 1.0, 0.5])
stretch = tf.constant([0.1, -0.4, 0.8])

with tf.GradientTape() as tape:
    energies = tf.zeros(3)
    for k in range(3):
        energy = 0.5 * stiffness[k] * stretch[k] ** 2
        energies = tf.tensor_scatter_nd_update(energies, [[k]], [energy])
    total = tf.reduce_sum(tf.square(energies))

print(tape.gradient(total, stiffness).numpy())
