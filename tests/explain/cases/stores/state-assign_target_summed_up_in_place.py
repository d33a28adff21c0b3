import tensorflow as tf

w = tf.Variable([0.5, -1.0])
loss = tf.Variable(0.0, name="loss")
xs = tf.constant([[1.0, 2.0], [0.0, 1.0], [2.0, 1.0]])
ys = tf.constant([1.0, -1.0, 0.5])

with tf.GradientTape() as tape:
    loss.assign(0.0)
    for x, y in zip(xs, ys):
        loss.assign_add(tf.square(tf.reduce_sum(w * x) - y))

grad = tape.gradient(loss, w)
print(loss.numpy(), grad)
