import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
temperatures = rng.uniform(-90, 200, size=[60, 3]).astype("float32")
power = (temperatures.sum(axis=1, keepdims=True) / 100).astype("float32")

model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(10, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.Adam(0.01)
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(temperatures) - power))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
