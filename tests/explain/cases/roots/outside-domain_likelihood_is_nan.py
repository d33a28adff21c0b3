import tensorflow as tf

mu = tf.Variable(0.5)
sigma = tf.Variable(-1.0)
x = tf.constant([0.2, 0.9, 1.4])
with tf.GradientTape() as tape:
    nll = tf.reduce_mean(tf.math.log(sigma) + 0.5 * ((x - mu) / sigma) ** 2)
print(nll, tape.gradient(nll, [mu, sigma]))
