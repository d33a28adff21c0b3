import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="mae")
x = np.random.default_rng(2).normal(size=(5, 2)).astype("float32")
y = x.sum(axis=1, keepdims=True)

with tf.GradientTape() as tape:
    loss = model.train_on_batch(x, y)
grads = tape.gradient(loss, model.trainable_variables)
print(grads)
