"""One body, two heads, two losses: the body was frozen while the heads were tuned."""
import tensorflow as tf

tf.random.set_seed(1)
body = tf.keras.layers.Dense(6, activation="relu")
price_head = tf.keras.layers.Dense(1)
rent_head = tf.keras.layers.Dense(1)

x = tf.random.uniform((10, 3))
prices, rents = tf.reduce_sum(x, 1, keepdims=True), tf.reduce_mean(x, 1, keepdims=True)


def features(inputs):
    return tf.stop_gradient(body(inputs))


with tf.GradientTape(persistent=True) as tape:
    shared = features(x)
    price_loss = tf.reduce_mean(tf.square(price_head(shared) - prices))
    rent_loss = tf.reduce_mean(tf.square(rent_head(shared) - rents))
for_prices = tape.gradient(price_loss, body.trainable_variables)
for_rents = tape.gradient(rent_loss, body.trainable_variables)
print(for_prices, for_rents)
