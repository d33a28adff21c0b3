import tensorflow as tf

w = tf.Variable([[0.3, -0.2, 0.5], [0.1, 0.4, -0.6]])
b = tf.Variable([0.0, 0.1, 0.2])
x = tf.constant([[1.0, 2.0]])
truth = tf.constant([[0.0, 1.0, 0.0]])

with tf.GradientTape() as tape:
    p = tf.nn.softmax(x @ w + b, axis=0)
    loss = tf.reduce_sum((p - truth) ** 2)

print("p:", p.numpy(), [g.numpy().tolist() for g in tape.gradient(loss, [w, b])])
