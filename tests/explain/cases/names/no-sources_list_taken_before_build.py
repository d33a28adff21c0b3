import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
weights = model.trainable_variables
x = tf.random.normal([6, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)

with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
grads = tape.gradient(loss, weights)
print(len(grads), "gradients")
