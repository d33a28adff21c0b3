import tensorflow as tf

tf.keras.utils.set_random_seed(5)


def make():
    return tf.keras.Sequential(
        [tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
    )


def mse(model, x, y):
    return tf.reduce_mean((model(x) - y) ** 2)


x, y = tf.random.normal((8, 3)), tf.random.normal((8, 1))
model = make()
weights = model.trainable_variables
saved = model.get_weights()

model = make()
model.set_weights(saved)

with tf.GradientTape() as tape:
    loss = mse(model, x, y)
grads = tape.gradient(loss, weights)
print(float(loss), grads)
