import tensorflow as tf

words = tf.constant([[3, 1, 0], [0, 0, 0], [2, 3, 1]])
table = tf.Variable(tf.random.stateless_normal([4, 2], [1, 1]))
query = tf.Variable([0.4, -0.3])
optimizer = tf.keras.optimizers.SGD(0.05)
for epoch in range(3):
    with tf.GradientTape() as tape:
        vectors = tf.gather(table, words)
        scores = tf.linalg.matvec(vectors, query)
        scores = tf.where(words > 0, scores, float("-inf"))
        shares = tf.nn.softmax(scores, axis=-1)
        loss = tf.reduce_mean(tf.reduce_sum(shares[..., None] * vectors, axis=1) ** 2)
    gradients = tape.gradient(loss, [table, query])
    optimizer.apply_gradients(zip(gradients, [table, query]))
    print(epoch, loss)
