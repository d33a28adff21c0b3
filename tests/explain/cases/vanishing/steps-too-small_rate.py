import tensorflow as tf

tf.random.set_seed(27)
x = tf.random.normal([100, 3])
y = tf.matmul(x, tf.constant([[1.0], [-2.0], [0.5]])) + 0.1
w = tf.Variable(tf.random.normal([3, 1]))
b = tf.Variable(0.5)
learning_rate = 1e-9
for epoch in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w + b - y))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(learning_rate * dw)
    b.assign_sub(learning_rate * db)
