import tensorflow as tf

w = tf.Variable([0.2, 0.8])
prior = tf.Variable(0.5)


def losses(x, y):
    data_loss = (tf.reduce_sum(w * x) - y) ** 2
    prior_loss = (prior - 1.0) ** 2
    return data_loss, prior_loss


with tf.GradientTape() as tape:
    regular, fit = losses(tf.constant([1.0, 2.0]), 1.0)
    loss = 10.0 * fit

print("loss:", loss.numpy(), "dw:", tape.gradient(loss, w))
