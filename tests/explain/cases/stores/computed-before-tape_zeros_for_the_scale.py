import tensorflow as tf

scale = tf.Variable(2.0)
shift = tf.Variable(0.5)
x = tf.constant([1.0, 2.0, 3.0])
scaled = x * scale

with tf.GradientTape() as tape:
    y = scaled + shift
    loss = tf.reduce_sum(y * y)

dscale, dshift = tape.gradient(loss, [scale, shift], unconnected_gradients="zero")
scale.assign_sub(0.01 * dscale)
shift.assign_sub(0.01 * dshift)
print(scale.numpy(), shift.numpy())
