"""One body, two heads: the body learns from both, a frozen copy of its features is only looked at."""
import tensorflow as tf

tf.random.set_seed(1)
body = tf.keras.layers.Dense(6, activation="tanh")
price_head = tf.keras.layers.Dense(1)
rent_head = tf.keras.layers.Dense(1)

x = tf.random.uniform((10, 3))
prices, rents = tf.reduce_sum(x, 1, keepdims=True), tf.reduce_mean(x, 1, keepdims=True)

with tf.GradientTape(persistent=True) as tape:
    shared = body(x)
    looked_at = tf.stop_gradient(shared)
    price_loss = tf.reduce_mean(tf.square(price_head(shared) - prices))
    rent_loss = tf.reduce_mean(tf.square(rent_head(shared) - rents))
for_prices = tape.gradient(price_loss, body.trainable_variables)
for_rents = tape.gradient(rent_loss, body.trainable_variables)
print(for_prices, for_rents, tf.reduce_mean(looked_at))
