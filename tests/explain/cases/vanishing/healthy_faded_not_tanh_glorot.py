import tensorflow as tf

tf.keras.utils.set_random_seed(51)
layers = [tf.keras.layers.Dense(100, activation="tanh") for _ in range(8)]
model = tf.keras.Sequential([*layers, tf.keras.layers.Dense(10, activation="softmax")])
x = tf.random.normal([32, 50])
y = tf.one_hot(tf.random.uniform([32], maxval=10, dtype=tf.int32), 10)
cce = tf.keras.losses.CategoricalCrossentropy()
with tf.GradientTape() as tape:
    loss = cce(y, model(x))
grads = tape.gradient(loss, model.trainable_variables)
