import tensorflow as tf


def make_losses(weights):
    losses = []
    for weight in weights:

        def loss(x):
            return tf.reduce_mean((x * weight - 1.0) ** 2)

        losses.append(loss)
    return losses


weights = [tf.Variable(k) for k in (0.5, 1.5, 2.5)]
first, second, third = make_losses(weights)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    total = first(x) + second(x) + third(x)
print(tape.gradient(total, weights))
