import tensorflow as tf

tf.random.set_seed(0)
writer = tf.Variable(tf.random.normal([3, 4], stddev=0.5), name="writer")
reader = tf.Variable(tf.random.normal([4, 1], stddev=0.5), name="reader")
memory = tf.Variable(tf.zeros([5, 4]), trainable=False, name="memory")
sentence = tf.random.normal([5, 3])

with tf.GradientTape() as tape:
    for slot in range(5):
        content = tf.tanh(tf.matmul(sentence[slot : slot + 1], writer))
        memory.scatter_update(tf.IndexedSlices(content, [slot]))
    score = tf.matmul(memory, reader)
    loss = tf.reduce_mean(tf.square(score - 1.0))

grads = tape.gradient(loss, [writer, reader])
for name, g in zip(["writer", "reader"], grads):
    print(name, None if g is None else g.shape)
