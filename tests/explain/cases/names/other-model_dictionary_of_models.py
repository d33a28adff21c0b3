import tensorflow as tf

tf.keras.utils.set_random_seed(13)
models = {
    name: tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(1)], name=name)
    for name in ("day", "night")
}
x = tf.constant([[1.0, 0.0], [0.0, 1.0]])
y = tf.constant([[3.0], [4.0]])

with tf.GradientTape() as tape:
    predicted = models["night"](x)
    loss = tf.reduce_mean(tf.abs(predicted - y))
print(tape.gradient(loss, models["day"].trainable_variables))
