import tensorflow as tf

tf.keras.utils.set_random_seed(8)
writer = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(3)])
reader = tf.keras.layers.Dense(1)
reader.build((None, 2))
task = tf.constant([[0.4, -1.0]])
x, y = tf.random.normal((5, 2)), tf.random.normal((5, 1))

with tf.GradientTape() as tape:
    written = writer(task)[0]
    reader.set_weights([tf.reshape(written[:2], (2, 1)), written[2:]])
    loss = tf.reduce_mean((reader(x) - y) ** 2)
print(tape.gradient(loss, writer.trainable_variables))
