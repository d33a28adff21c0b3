import tensorflow as tf

tf.random.set_seed(24)
w = tf.Variable(tf.random.normal([10, 40], stddev=0.3))
b = tf.Variable(tf.concat([tf.fill([38], -12.0), tf.zeros([2])], axis=0))
out = tf.Variable(tf.random.normal([40, 1]))
x = tf.random.normal([100, 10])
y = tf.random.normal([100, 1])
for _ in range(4):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ w + b)
        loss = tf.reduce_mean((h @ out - y) ** 2)
    grads = tape.gradient(loss, [w, b, out])
    for v, g in zip([w, b, out], grads):
        v.assign_sub(0.01 * g)
