import tensorflow as tf


def predict(x, decay=tf.Variable(0.25, name="decay")):
    return tf.exp(-decay * x)


decay = tf.Variable(0.25, name="decay")
times = tf.constant([0.0, 1.0, 2.0])
measured = tf.constant([1.0, 0.7, 0.5])

with tf.GradientTape() as tape:
    error = tf.reduce_sum((predict(times) - measured) ** 2)

slope = tape.gradient(error, decay)
print("error:", error.numpy(), "slope:", slope)
