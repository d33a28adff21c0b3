import tensorflow as tf

tf.random.set_seed(9)
x = tf.random.normal([4, 3])
query, key, value = (tf.Variable(tf.random.normal([3, 3], stddev=0.4)) for _ in range(3))

with tf.GradientTape() as tape:
    scores = (x @ query) @ tf.transpose(x @ key) / 3.0**0.5
    row, column = tf.range(4)[:, tf.newaxis], tf.range(4)[tf.newaxis, :]
    blocked = tf.cast(column > row, tf.float32)
    weights = tf.nn.softmax(scores - 1e9 * blocked)
    out = weights @ (x @ value)
    loss = tf.reduce_mean(out[-1] ** 2) + 0.1 * tf.reduce_mean(out**2)

print([float(tf.norm(g)) for g in tape.gradient(loss, [query, key, value])])
