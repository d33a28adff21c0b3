import tensorflow as tf

energy = tf.Variable([1.0, 95.0])
gate = tf.constant([1.0, 0.0])

with tf.GradientTape() as tape:
    weight = tf.exp(energy)
    open_weight = gate * weight
    partition = tf.reduce_sum(open_weight)

print("partition:", partition.numpy(), tape.gradient(partition, energy).numpy())
