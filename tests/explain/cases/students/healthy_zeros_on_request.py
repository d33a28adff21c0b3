import tensorflow as tf

used = tf.Variable(2.0)
unused = tf.Variable([1.0, 2.0])

with tf.GradientTape() as tape:
    loss = (used - 1.0) ** 2

grads = tape.gradient(loss, [used, unused], unconnected_gradients=tf.UnconnectedGradients.ZERO)
for v, g in zip([used, unused], grads):
    v.assign_sub(0.1 * g)
print(used.numpy(), unused.numpy())
