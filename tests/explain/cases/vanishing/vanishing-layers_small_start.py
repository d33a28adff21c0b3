import tensorflow as tf

tf.random.set_seed(4)
depth, width = 6, 32
ws = [tf.Variable(tf.random.normal([width, width], stddev=0.03)) for _ in range(depth)]
bs = [tf.Variable(tf.zeros([width])) for _ in range(depth)]
out = tf.Variable(tf.random.normal([width, 1]))

x = tf.random.normal([40, width])
y = tf.random.normal([40, 1])
with tf.GradientTape() as tape:
    h = x
    for w, b in zip(ws, bs):
        h = tf.tanh(tf.matmul(h, w) + b)
    prediction = tf.matmul(h, out)
    loss = tf.reduce_mean(tf.abs(prediction - y))
grads = tape.gradient(loss, bs)
print([float(tf.norm(g)) for g in grads])
