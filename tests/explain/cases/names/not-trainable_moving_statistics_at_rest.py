import tensorflow as tf

tf.keras.utils.set_random_seed(42)
norm = tf.keras.layers.BatchNormalization()
x = tf.random.normal([4, 2])
norm(x)

with tf.GradientTape() as tape:
    y = tf.reduce_sum(norm(x, training=False) ** 2)
grads = tape.gradient(y, norm.weights)
print(grads)
