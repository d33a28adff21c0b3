import tensorflow as tf

stiffness = tf.Variable([2.0, 1.0, 0.5])
stretch = tf.constant([0.1, -0.4, 0.8])
energies = tf.Variable(tf.zeros(3), trainable=False, name="energies")

with tf.GradientTape() as tape:
    for k in range(3):
        energy = 0.5 * stiffness[k] * stretch[k] ** 2
        energies.scatter_nd_update([[k]], [energy])
    total = tf.reduce_sum(energies)

dk = tape.gradient(total, stiffness)
print("total energy", total.numpy())
print("d total / d stiffness:", dk)
