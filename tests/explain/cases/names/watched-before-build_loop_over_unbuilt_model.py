import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)]
)
x = tf.constant([[0.5, -1.0], [0.2, 0.8], [1.0, 0.1]])
y = tf.constant([[1.0], [0.0], [0.5]])

with tf.GradientTape(watch_accessed_variables=False) as tape:
    for v in model.trainable_variables:
        tape.watch(v)
    loss = tf.reduce_mean(tf.square(model(x) - y))

grads = tape.gradient(loss, model.trainable_variables)
print(grads)
