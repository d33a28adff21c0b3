import tensorflow as tf

tf.keras.utils.set_random_seed(41)
WIDTH = 16
blocks = [tf.keras.layers.Dense(WIDTH, activation="sigmoid") for _ in range(12)]
head = tf.keras.layers.Dense(1)
x = tf.random.normal([32, WIDTH])
y = tf.random.normal([32, 1])
with tf.GradientTape() as tape:
    h = x
    for block in blocks:
        h = h + block(h)
    loss = tf.reduce_mean((head(h) - y) ** 2)
grads = tape.gradient(loss, [v for block in blocks for v in block.trainable_variables])
