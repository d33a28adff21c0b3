import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def build():
    return tf.keras.layers.Dense(1)


def loss_function(x, y):
    layer = build()
    return tf.reduce_mean((layer(x) - y) ** 2)


layer = build()
x, y = tf.constant([[1.0], [2.0]]), tf.constant([[0.0], [1.0]])
layer(x)
with tf.GradientTape() as tape:
    loss = loss_function(x, y)

print(tape.gradient(loss, layer.trainable_variables))
