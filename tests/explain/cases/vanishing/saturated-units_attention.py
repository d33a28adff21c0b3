import tensorflow as tf

tf.random.set_seed(20)
dim = 512
wq = tf.Variable(tf.random.normal([dim, dim], stddev=dim**-0.5))
wk = tf.Variable(tf.random.normal([dim, dim], stddev=dim**-0.5))
wv = tf.Variable(tf.random.normal([dim, dim], stddev=dim**-0.5))


def attend(x):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = tf.matmul(q, k, transpose_b=True)
    return tf.matmul(tf.nn.softmax(scores, axis=-1), v)


tokens = tf.random.normal([2, 12, dim])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(attend(tokens) ** 2)
grads = tape.gradient(loss, [wq, wk, wv])
