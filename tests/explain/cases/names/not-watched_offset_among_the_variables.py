import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0])
y = tf.constant([3.1, 4.9, 7.2])
slope = tf.Variable(0.5)
offset = tf.constant(0.2)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((slope * x + offset - y) ** 2)
    gradients = tape.gradient(loss, [slope, offset])
    for parameter, gradient in zip([slope, offset], gradients):
        if gradient is not None:
            parameter.assign_sub(0.01 * gradient)
