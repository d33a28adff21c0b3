import tensorflow as tf

tf.random.set_seed(2)
encoder = tf.Variable(tf.random.normal([3, 2], stddev=0.5), name="encoder")
decoder = tf.Variable(tf.random.normal([2, 3], stddev=0.5), name="decoder")
x = tf.random.normal([5, 3])


def losses(x):
    code = tf.stop_gradient(tf.tanh(tf.matmul(x, encoder)))
    drift = tf.reduce_mean(tf.square(code - tf.roll(code, 1, axis=0)))
    back = tf.matmul(code, decoder)
    return drift, tf.reduce_mean(tf.square(back - x))


with tf.GradientTape() as tape:
    drift, rebuilt = losses(x)
print("drift", drift.numpy())
grads = tape.gradient(rebuilt, [encoder, decoder])
print([None if g is None else g.shape for g in grads])
