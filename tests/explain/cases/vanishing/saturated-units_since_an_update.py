import tensorflow as tf

tf.random.set_seed(23)
x = tf.random.normal([40, 6])
y = tf.cast(x[:, :1] > 0, tf.float32)
w1 = tf.Variable(tf.random.normal([6, 12], stddev=0.4))
w2 = tf.Variable(tf.random.normal([12, 1], stddev=0.4))
for step in range(12):
    with tf.GradientTape() as tape:
        hidden = tf.sigmoid(x @ w1)
        loss = tf.reduce_mean((hidden @ w2 - y) ** 2)
    grads = tape.gradient(loss, [w1, w2])
    if step == 2:
        w1.assign_add(tf.random.normal([6, 12], stddev=80.0))
    else:
        w2.assign_sub(0.01 * grads[1])
