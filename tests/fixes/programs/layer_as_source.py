import tensorflow as tf

tf.keras.utils.set_random_seed(1)
layer = tf.keras.layers.Dense(1)
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(x) ** 2)
print(tape.gradient(loss, layer))
