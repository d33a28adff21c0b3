import tensorflow as tf

tf.random.set_seed(1)
table = tf.Variable(tf.random.normal((10, 4)))
head = tf.Variable(tf.random.normal((4,)))
sentence = tf.constant([3, 1, 4, 1, 5])
with tf.GradientTape() as tape:
    vectors = tf.gather(table, sentence)
    tape.watch(vectors)
    result = tf.tensordot(tf.reduce_mean(vectors, axis=0), head, 1)
print(tf.norm(tape.gradient(result, vectors), axis=1))
