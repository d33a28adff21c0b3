import tensorflow as tf

kernel = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
bias = tf.Variable([0.5, -0.5])


def flatten(tensors):
    return tf.concat([tf.reshape(t, [-1]) for t in tensors], axis=0)


with tf.GradientTape() as tape:
    out = tf.matmul(tf.constant([[1.0, 2.0]]), kernel) + bias
    loss = tf.reduce_sum(tf.sigmoid(out))
    theta = flatten([kernel, bias])

gradient_vector = tape.gradient(loss, theta)
print("length:", theta.shape[0], "gradient:", gradient_vector)
