import tensorflow as tf


def angle(a, b):
    cosine = tf.reduce_sum(a * b) / (tf.norm(a) * tf.norm(b))
    return tf.acos(cosine)


bone = tf.Variable([1.0, 0.0, 0.0])
axis = tf.constant([2.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    bend = angle(bone, axis)
print(bend.numpy(), tape.gradient(bend, bone))
