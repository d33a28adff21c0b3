import tensorflow as tf

tf.random.set_seed(33)
w = tf.Variable(tf.random.normal([3, 1]))
best = tf.Variable(w)
x = tf.random.normal([20, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
for epoch in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    dw = tape.gradient(loss, w)
    best.assign_sub(0.1 * dw)
    print(epoch, float(loss))
