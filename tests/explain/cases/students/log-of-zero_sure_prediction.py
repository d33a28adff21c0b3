import tensorflow as tf

w = tf.Variable(6.0)
b = tf.Variable(0.0)
x = tf.constant([2.0, 30.0])
y = tf.constant([1.0, 0.0])

with tf.GradientTape() as tape:
    p = tf.sigmoid(w * x + b)
    wrong = y * tf.math.log(p) + (1.0 - y) * tf.math.log(1.0 - p)
    loss = -tf.reduce_mean(wrong)

print("loss:", loss.numpy(), [g.numpy() for g in tape.gradient(loss, [w, b])])
