import tensorflow as tf

tf.random.set_seed(3)
slope = tf.Variable(0.5)
offset = tf.Variable(0.0)
series = [tf.random.normal([6]) for _ in range(4)]
answers = [2.0 * x + 1.0 for x in series]
optimizer = tf.keras.optimizers.SGD(0.1)

for epoch in range(3):
    with tf.GradientTape() as tape:
        total = 0.0
        for x, y in zip(series, answers):
            guess = slope * x + offset
            total = tf.reduce_mean((guess - y) ** 2)
        mean = total / len(series)
    gradients = tape.gradient(mean, [slope, offset])
    optimizer.apply_gradients(zip(gradients, [slope, offset]))
    print(epoch, mean.numpy())
