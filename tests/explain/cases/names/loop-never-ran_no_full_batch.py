import tensorflow as tf

w = tf.Variable([[0.3], [-0.2]])
b = tf.Variable(0.1)
data = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]])
labels = tf.constant([[1.0], [0.0], [1.0]])
batch = 8

with tf.GradientTape() as tape:
    loss = tf.constant(0.0)
    for start in range(len(data) // batch):
        rows = slice(start * batch, (start + 1) * batch)
        loss += tf.reduce_mean((data[rows] @ w + b - labels[rows]) ** 2)
print(tape.gradient(loss, [w, b]))
