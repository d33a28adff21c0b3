import tensorflow as tf

spread = tf.Variable(0.5)
readings = tf.constant([1.9, 2.2, 2.6, 1.7, 2.4, 2.1, 1.5, 2.8])


def density(x, mean):
    return tf.exp(-tf.square((x - mean) / spread)) / spread


with tf.GradientTape() as tape:
    weight = tf.constant(1.0)
    for i in range(8):
        weight = weight * density(readings[i], 4.0)
    surprise = -tf.math.log(weight)

print(surprise.numpy(), tape.gradient(surprise, spread).numpy())
