import tensorflow as tf


def unit(vector):
    length = float(tf.norm(vector))
    return vector / length


v = tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    along = tf.reduce_sum(unit(v) * [0.2, 0.9])

print("cosine:", along.numpy(), "grad:", tape.gradient(along, v).numpy())
