import tensorflow as tf

scale = tf.Variable([2.0, 3.0])
offset = tf.constant([0.5, 1.5])


@tf.function
def objective():
    fit = tf.reduce_sum((scale - offset) ** 2)
    bonus = tf.reduce_sum(tf.math.log(offset))
    return fit - 0.1 * bonus


with tf.GradientTape() as tape:
    value = objective()
slope = tape.gradient(value, scale)
print(value, slope)
