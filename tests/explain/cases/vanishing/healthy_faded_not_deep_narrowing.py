import tensorflow as tf

tf.keras.utils.set_random_seed(61)
sizes = [256, 128, 64, 32, 16, 8]
encoder = tf.keras.Sequential([tf.keras.layers.Dense(n, activation="elu") for n in sizes])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(n, activation="elu") for n in sizes[::-1]])
out = tf.keras.layers.Dense(400)
x = tf.random.normal([16, 400])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((out(decoder(encoder(x))) - x) ** 2)
variables = encoder.trainable_variables + decoder.trainable_variables + out.trainable_variables
grads = tape.gradient(loss, variables)
