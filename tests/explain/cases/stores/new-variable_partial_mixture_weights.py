import tensorflow as tf

logits = tf.Variable([0.2, -0.4, 0.1], name="logits")
means = tf.constant([-1.0, 0.5, 2.0])
points = tf.constant([0.1, 0.7, 1.8, -0.8])


def mixture(points, shares):
    density = tf.exp(-0.5 * (points[:, None] - means) ** 2)
    return -tf.reduce_mean(tf.math.log(tf.linalg.matvec(density, shares)))


with tf.GradientTape() as tape:
    shares = tf.nn.softmax(logits)
    misfit = mixture(points, tf.Variable(shares))
    entropy = -tf.reduce_sum(shares * tf.math.log(shares))
    loss = misfit - 0.1 * entropy
print(tape.gradient(loss, logits))
