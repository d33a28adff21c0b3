import tensorflow as tf

query = tf.Variable([0.3, 0.9])
keys = tf.Variable([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
values = tf.Variable([1.0, 5.0, 2.0])


def attend(q, k, v):
    match = tf.linalg.matvec(k, q)
    choice = tf.one_hot(tf.argmax(match), depth=3)
    return tf.reduce_sum(choice * v)


with tf.GradientTape() as tape:
    answer = attend(query, keys, values)
    loss = (answer - 4.0) ** 2

dq, dk, dv = tape.gradient(loss, [query, keys, values])
print("query:", dq, "keys:", dk, "values:", dv.numpy())
