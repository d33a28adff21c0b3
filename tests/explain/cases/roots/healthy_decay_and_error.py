import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal([16, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
w1 = tf.Variable(tf.random.normal([4, 8], stddev=0.3))
w2 = tf.Variable(tf.random.normal([8, 1], stddev=0.3))
with tf.GradientTape() as tape:
    h = tf.tanh(x @ w1)
    error = tf.reduce_mean((h @ w2 - y) ** 2)
    loss = error + 1e-3 * (tf.nn.l2_loss(w1) + tf.nn.l2_loss(w2))
print(tape.gradient(loss, [w1, w2]))
