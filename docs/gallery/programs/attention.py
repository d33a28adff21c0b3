import tensorflow as tf

tf.random.set_seed(2)
WIDTH, HEADS = 8, 2
words = tf.random.normal([4, 6, WIDTH])
goal = tf.random.normal([4, 6, WIDTH])


def weight(name, rows, columns):
    return tf.Variable(tf.random.normal([rows, columns], stddev=rows**-0.5), name=name)


query, key, value, out = (weight(name, WIDTH, WIDTH) for name in ("query", "key", "value", "out"))
up, down = weight("up", WIDTH, 16), weight("down", 16, WIDTH)
variables = [query, key, value, out, up, down]


def heads(x):
    return tf.transpose(tf.reshape(x, [4, 6, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])


def attend(x):
    scores = tf.matmul(heads(x @ query), heads(x @ key), transpose_b=True) / (WIDTH / HEADS) ** 0.5
    mixed = tf.nn.softmax(scores) @ heads(x @ value)
    return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [4, 6, WIDTH]) @ out


with tf.GradientTape() as tape:
    x = words + attend(words)
    x = x + tf.nn.gelu(x @ up) @ down
    loss = tf.reduce_mean((x - goal) ** 2)
grads = tape.gradient(loss, variables)
