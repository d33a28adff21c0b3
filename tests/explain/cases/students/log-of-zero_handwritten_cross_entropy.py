import tensorflow as tf


def cross_entropy(truth, scores):
    p = tf.nn.softmax(scores)
    return -tf.reduce_sum(truth * tf.math.log(p))


scores = tf.Variable([[200.0, -50.0, 3.0]])
truth = tf.constant([[0.0, 1.0, 0.0]])
with tf.GradientTape() as tape:
    loss = cross_entropy(truth, scores)

grad = tape.gradient(loss, scores)
print("loss:", loss.numpy(), "grad:", grad.numpy())
