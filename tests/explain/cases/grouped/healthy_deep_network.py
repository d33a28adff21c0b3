"""Twelve dense layers, NumPy only for what is printed."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
layers = [tf.keras.layers.Dense(8, activation="tanh") for _ in range(12)]
model = tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])

x = tf.random.normal((16, 4))
y = tf.reduce_sum(x, axis=1, keepdims=True)

for step in range(5):
    with tf.GradientTape() as tape:
        prediction = model(x)
        loss = tf.reduce_mean((prediction - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    print(step, np.mean((prediction - y) ** 2), len(gradients))
