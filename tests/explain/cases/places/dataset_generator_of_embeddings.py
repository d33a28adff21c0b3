import tensorflow as tf

table = tf.Variable([[0.1, 0.2], [0.3, -0.1], [0.5, 0.4]], name="table")
head = tf.Variable([[0.6], [-0.2]], name="head")
sentences = [[0, 1], [1, 2], [2, 0]]


def rows():
    for words in sentences:
        yield tf.reduce_mean(tf.gather(table, words), axis=0)


def make_data():
    spec = tf.TensorSpec((2,), tf.float32)
    return tf.data.Dataset.from_generator(rows, output_signature=spec).batch(3)


def fit(data):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((batch @ head - 1.0) ** 2)
        print(tape.gradient(loss, [head, table]))


fit(make_data())
