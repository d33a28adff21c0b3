import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
pixels = np.arange(12, dtype="uint8").reshape(1, 12)
image = tf.constant(pixels)
model = tf.keras.Sequential([tf.keras.Input((12,)), tf.keras.layers.Dense(2)])
with tf.GradientTape() as tape:
    tape.watch(image)
    score = model(tf.cast(image, tf.float32) / 255.0)[:, 1]
saliency = tape.gradient(score, image)
print(saliency)
