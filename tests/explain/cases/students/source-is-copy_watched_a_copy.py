import tensorflow as tf

charge = tf.constant([1.0, -2.0])
with tf.GradientTape() as tape:
    tape.watch(tf.identity(charge))
    field = tf.reduce_sum(charge / [0.5, 1.5]) ** 2

print("field:", field.numpy(), "grad:", tape.gradient(field, charge))
