import tensorflow as tf

tf.random.set_seed(53)
dim = 256
project = [tf.Variable(tf.random.normal([dim, dim], stddev=dim**-0.5)) for _ in range(3)]
tokens = tf.random.normal([2, 10, dim])
hidden_ahead = tf.linalg.band_part(tf.ones([10, 10]), -1, 0)
with tf.GradientTape() as tape:
    q, k, v = [tokens @ w for w in project]
    scores = tf.matmul(q, k, transpose_b=True) / dim**0.5
    scores = scores - 1e9 * (1.0 - hidden_ahead)
    loss = tf.reduce_mean((tf.nn.softmax(scores) @ v) ** 2)
grads = tape.gradient(loss, project)
