import tensorflow as tf

tf.keras.utils.set_random_seed(2)
layers = [tf.keras.layers.Dense(3, activation="tanh") for _ in range(2)]
x = tf.constant([[0.1, 0.2, 0.3]])

with tf.GradientTape() as tape:
    for layer in layers:
        h = layer(x)
    loss = tf.reduce_sum(h**2)

weights = [v for layer in layers for v in layer.trainable_variables]
for v, g in zip(weights, tape.gradient(loss, weights)):
    print(v.shape, g is not None)
