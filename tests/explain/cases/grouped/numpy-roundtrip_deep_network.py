"""Twelve dense layers; the accuracy of the loss was copied from a NumPy notebook."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
layers = [tf.keras.layers.Dense(8, activation="tanh") for _ in range(12)]
model = tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)

x = tf.random.normal((16, 4))
y = tf.reduce_sum(x, axis=1, keepdims=True)

for step in range(5):
    with tf.GradientTape() as tape:
        prediction = model(x)
        loss = tf.constant(np.mean((prediction - y) ** 2))
    gradients = tape.gradient(loss, model.trainable_variables)
print(len(gradients), "gradients asked for")
