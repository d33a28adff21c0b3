import tensorflow as tf

tf.keras.utils.set_random_seed(8)
kernel = tf.Variable(tf.random.normal([3, 4], stddev=0.1))
shift = tf.Variable(tf.fill([4], -6.0))
reader = tf.keras.layers.GRU(2)
series = tf.random.normal([5, 7, 3])

with tf.GradientTape() as tape:
    features = tf.nn.relu(tf.matmul(series, kernel) + shift)
    last = reader(features)
    loss = tf.reduce_mean(last**2)
print([g.numpy().max() for g in tape.gradient(loss, [kernel, shift])])
