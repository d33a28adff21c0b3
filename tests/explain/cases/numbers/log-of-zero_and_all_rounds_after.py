import tensorflow as tf

x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
y = tf.constant([1.0, 0.0, 1.0])
w = tf.Variable([40.0, -200.0])
b = tf.Variable(0.5)

for epoch in range(4):
    with tf.GradientTape() as tape:
        p = tf.sigmoid(tf.linalg.matvec(x, w) + b)
        loss = -tf.reduce_mean(y * tf.math.log(p) + (1.0 - y) * tf.math.log(1.0 - p))
    grads = tape.gradient(loss, [w, b])
    for variable, grad in zip([w, b], grads):
        variable.assign_sub(0.1 * grad)
    print(epoch, float(loss))
