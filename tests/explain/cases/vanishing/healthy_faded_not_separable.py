import tensorflow as tf

tf.random.set_seed(57)
left = tf.random.normal([30, 2], mean=-3.0)
right = tf.random.normal([30, 2], mean=3.0)
x = tf.concat([left, right], axis=0)
y = tf.concat([tf.zeros([30, 1]), tf.ones([30, 1])], axis=0)
w = tf.Variable(tf.zeros([2, 1]))
b = tf.Variable(tf.zeros([1]))
for epoch in range(200):
    with tf.GradientTape() as tape:
        p = tf.sigmoid(x @ w + b)
        loss = -tf.reduce_mean(y * tf.math.log(p + 1e-7) + (1 - y) * tf.math.log(1 - p + 1e-7))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.5 * dw)
    b.assign_sub(0.5 * db)
