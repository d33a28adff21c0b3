import tensorflow as tf

tf.keras.utils.set_random_seed(4)
positions = tf.range(4)
encode = tf.keras.layers.Embedding(4, 2)
values = tf.random.normal((4, 2))


def attention(positions):
    keys = encode(positions)
    weights = tf.nn.softmax(tf.matmul(keys, keys, transpose_b=True))
    return tf.matmul(weights, values)


with tf.GradientTape() as tape:
    tape.watch(positions)
    out = tf.reduce_sum(attention(positions) ** 2)
slope = tape.gradient(out, positions)
print(slope)
