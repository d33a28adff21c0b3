import tensorflow as tf

brightness = tf.Variable([0.2, 0.7, 0.4])
paper = tf.constant([60.0, 180.0, 90.0])


def to_bytes(x):
    return tf.cast(x * 255.0, tf.int32)


with tf.GradientTape() as tape:
    printed = tf.cast(to_bytes(brightness), tf.float32)
    error = tf.reduce_mean((printed - paper) ** 2)

print("error:", error.numpy(), "grad:", tape.gradient(error, brightness))
