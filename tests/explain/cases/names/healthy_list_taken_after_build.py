import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
x = tf.random.normal([6, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
model(x)
weights = model.trainable_variables

with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
grads = tape.gradient(loss, weights)
print(len(grads), "gradients")
