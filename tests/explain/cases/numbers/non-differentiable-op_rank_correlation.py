import tensorflow as tf

weights = tf.Variable([0.3, -0.1])
films = tf.constant([[1.0, 2.0], [0.5, 0.1], [3.0, -1.0], [2.0, 2.0]])
liked = tf.constant([2.0, 0.0, 3.0, 1.0])


def ranks(values):
    order = tf.argsort(values)
    return tf.cast(tf.argsort(order), tf.float32)


with tf.GradientTape() as tape:
    guessed = ranks(tf.linalg.matvec(films, weights))
    loss = tf.reduce_mean((guessed - liked) ** 2)
print(tape.gradient(loss, weights))
