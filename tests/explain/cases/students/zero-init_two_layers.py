import tensorflow as tf

w1 = tf.Variable(tf.zeros([2, 3]))
w2 = tf.Variable(tf.zeros([3, 1]))
x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
y = tf.constant([[1.0], [-1.0]])

with tf.GradientTape() as tape:
    hidden = tf.tanh(tf.matmul(x, w1))
    loss = tf.reduce_mean((tf.matmul(hidden, w2) - y) ** 2)

for grad in tape.gradient(loss, [w1, w2]):
    print(grad.numpy().ravel())
