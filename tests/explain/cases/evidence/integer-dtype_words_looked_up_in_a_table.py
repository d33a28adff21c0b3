import tensorflow as tf

tf.random.set_seed(1)
table = tf.Variable(tf.random.normal((10, 4)))
head = tf.Variable(tf.random.normal((4,)))


def score(tokens):
    return tf.tensordot(tf.reduce_mean(tf.gather(table, tokens), axis=0), head, 1)


sentence = tf.constant([3, 1, 4, 1, 5])
with tf.GradientTape() as tape:
    tape.watch(sentence)
    result = score(sentence)
print(tape.gradient(result, sentence))
