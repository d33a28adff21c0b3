import tensorflow as tf

tf.keras.utils.set_random_seed(52)
generator = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(3)])
critic = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(1)])
noise = tf.random.normal([4, 2])
real = tf.random.normal([4, 3])

with tf.GradientTape() as tape:
    fooled = critic(real)
    loss = tf.reduce_mean(tf.nn.softplus(-fooled))
grads = tape.gradient(loss, generator.trainable_variables)
print(grads)
