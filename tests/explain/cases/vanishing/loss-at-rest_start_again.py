import tensorflow as tf

tf.random.set_seed(34)
x = tf.random.normal([50, 2])
y = x @ tf.constant([[2.0], [-1.0]])
start = tf.random.normal([2, 1])
w = tf.Variable(start)
for epoch in range(20):
    w.assign(start)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    print(epoch, float(loss))
