import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0, 4.0])
y = tf.constant([2.0, 4.0, 6.0, 8.0])
w = tf.Variable(0.0)

for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - y) ** 4)
    w.assign_sub(0.05 * tape.gradient(loss, w))
print(w.numpy())
