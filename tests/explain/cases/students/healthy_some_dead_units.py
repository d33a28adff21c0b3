import tensorflow as tf

w = tf.Variable([[0.5, -2.0, 1.0], [0.3, -1.0, -0.2]])
b = tf.Variable([0.1, -0.5, 0.0])
x = tf.constant([[1.0, 2.0], [2.0, 0.5]])

with tf.GradientTape() as tape:
    hidden = tf.nn.relu(x @ w + b)
    pooled = tf.reduce_max(hidden, axis=1)
    limited = tf.clip_by_value(pooled, 0.0, 1.8)
    loss = tf.reduce_sum((limited - 1.0) ** 2)
    dead = tf.reduce_all(hidden <= 0.0, axis=0)

print("dead units:", dead.numpy(), [g.numpy().tolist() for g in tape.gradient(loss, [w, b])])
