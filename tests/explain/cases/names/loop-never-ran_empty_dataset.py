import tensorflow as tf

scale = tf.Variable(2.0)
dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(4, drop_remainder=True)


def total_error():
    total = tf.constant(0.0)
    for chunk in dataset:
        total += tf.reduce_sum((scale * chunk - 1.0) ** 2)
    return total


with tf.GradientTape() as tape:
    loss = total_error()
print("d loss / d scale:", tape.gradient(loss, scale))
