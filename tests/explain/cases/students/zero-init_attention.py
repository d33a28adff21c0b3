import tensorflow as tf

x = tf.constant([[1.0, 0.0], [0.5, 1.0], [0.2, -0.4]])
params = {
    "key": tf.Variable(tf.zeros([2, 2])),
    "query": tf.Variable(tf.zeros([2, 2])),
    "value": tf.Variable([[0.3, 0.1], [-0.2, 0.4]]),
}

with tf.GradientTape() as tape:
    match = tf.matmul(x @ params["query"], x @ params["key"], transpose_b=True)
    out = tf.nn.softmax(match) @ (x @ params["value"])
    loss = tf.reduce_mean((out - 1.0) ** 2)

print({k: float(tf.norm(g)) for k, g in tape.gradient(loss, params).items()})
