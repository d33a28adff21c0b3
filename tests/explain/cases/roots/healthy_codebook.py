import tensorflow as tf

tf.random.set_seed(0)
encoder = tf.Variable(tf.random.normal((3, 2)))
codebook = tf.Variable(tf.random.normal((4, 2)))
images = tf.random.normal((5, 3))
with tf.GradientTape() as tape:
    z = images @ encoder
    distances = tf.reduce_sum((z[:, None] - codebook[None]) ** 2, axis=2)
    nearest = tf.gather(codebook, tf.argmin(distances, axis=1))
    to_codes = tf.reduce_mean((nearest - tf.stop_gradient(z)) ** 2)
    commitment = 0.25 * tf.reduce_mean((tf.stop_gradient(nearest) - z) ** 2)
    quantized = z + tf.stop_gradient(nearest - z)
    loss = tf.reduce_mean((quantized - 1.0) ** 2) + to_codes + commitment
print(tape.gradient(loss, [encoder, codebook]))
