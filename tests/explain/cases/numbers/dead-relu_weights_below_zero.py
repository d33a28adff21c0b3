import tensorflow as tf

speeds = tf.constant([[12.0, 30.0], [55.0, 8.0], [20.0, 41.0]])
costs = tf.constant([[1.0], [2.0], [1.5]])
inner = tf.Variable([[-0.2, -0.5, -0.1], [-0.3, -0.1, -0.4]])
shift = tf.Variable([0.0, 0.0, 0.0])
outer = tf.Variable([[0.5], [-0.2], [0.1]])
for step in range(2):
    with tf.GradientTape() as tape:
        units = tf.nn.relu(speeds @ inner + shift)
        loss = tf.reduce_mean((units @ outer - costs) ** 2)
    gradients = tape.gradient(loss, [inner, shift, outer])
    print(step, gradients)
