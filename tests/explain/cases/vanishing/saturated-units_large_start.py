import tensorflow as tf

tf.random.set_seed(19)
w1 = tf.Variable(tf.random.normal([400, 50]))
w2 = tf.Variable(tf.random.normal([50, 1], stddev=0.1))
x = tf.random.normal([30, 400])
y = tf.random.normal([30, 1])
for step in range(3):
    with tf.GradientTape() as tape:
        hidden = tf.tanh(x @ w1)
        loss = tf.reduce_mean((hidden @ w2 - y) ** 2)
    dw1, dw2 = tape.gradient(loss, [w1, w2])
    w1.assign_sub(0.1 * dw1)
    w2.assign_sub(0.1 * dw2)
