"""A regression with a network that was made deeper and deeper."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(2)
model = keras.Sequential(
    [
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(32, activation="sigmoid"),
        layers.Dense(1),
    ]
)
x = tf.random.uniform([50, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(x) - y))
gradients = tape.gradient(loss, model.trainable_weights)
for weight, gradient in zip(model.trainable_weights, gradients):
    print(weight.shape, float(tf.norm(gradient)))
