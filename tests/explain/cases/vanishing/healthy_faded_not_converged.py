import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0], [0.5, -2.0]])
y = tf.constant([[4.0], [3.5], [-2.0], [-3.0]])
w = tf.Variable([[0.0], [0.0]])
b = tf.Variable([0.0])
losses = []
for step in range(150):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - y) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
    losses.append(float(loss))
