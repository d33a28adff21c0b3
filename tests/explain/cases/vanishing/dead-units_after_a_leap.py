import tensorflow as tf

tf.random.set_seed(26)
x = tf.random.uniform([50, 4])
y = 2.0 + tf.reduce_sum(x, axis=1, keepdims=True)
w1 = tf.Variable(tf.random.normal([4, 30], stddev=0.7))
b1 = tf.Variable(tf.zeros([30]))
w2 = tf.Variable(-0.2 * tf.ones([30, 1]) + tf.one_hot([0], 30, axis=0)[:, :])
b2 = tf.Variable(tf.zeros([1]))
params = [w1, b1, w2, b2]
for epoch in range(15):
    rate = 20.0 if epoch == 0 else 0.001
    with tf.GradientTape() as tape:
        h = tf.nn.relu(tf.matmul(x, w1) + b1)
        loss = tf.reduce_mean(tf.abs(tf.matmul(h, w2) + b2 - y))
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(rate * g)
