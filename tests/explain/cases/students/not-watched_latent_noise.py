import tensorflow as tf

encoder = tf.Variable([[0.5, -0.2, 0.1, 0.3]])
decoder = tf.Variable([[0.7], [-0.4]])
tf.random.set_seed(3)


def sample(mean, log_variance, noise):
    return mean + tf.exp(0.5 * log_variance) * noise


x = tf.constant([[1.0], [2.0]])
with tf.GradientTape() as tape:
    mean, log_variance = tf.split(x @ encoder, 2, axis=1)
    noise = tf.random.normal(tf.shape(mean))
    z = sample(mean, log_variance, noise)
    loss = tf.reduce_mean((z @ decoder - x) ** 2)
grads = tape.gradient(loss, {"encoder": encoder, "noise": noise})
print(grads["noise"])
