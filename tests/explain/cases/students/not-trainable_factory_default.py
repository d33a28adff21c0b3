import tensorflow as tf


def parameter(name, value, trainable=False):
    return tf.Variable(value, trainable=trainable, name=name)


rate = parameter("rate", 0.3, trainable=True)
limit = parameter("limit", 5.0)

with tf.GradientTape() as tape:
    size = limit * (1.0 - tf.exp(-rate * 2.0))
    loss = (size - 3.0) ** 2

print(tape.gradient(loss, [rate, limit]))
