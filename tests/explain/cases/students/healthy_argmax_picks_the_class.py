import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
net = tf.keras.layers.Dense(4, activation="softmax")
photo = tf.random.uniform([1, 6])

with tf.GradientTape() as tape:
    tape.watch(photo)
    scores = net(photo)
    winner = np.argmax(scores[0])
    top = scores[0, int(winner)]

saliency = tape.gradient(top, photo)
print("class", winner, "pixel", int(np.argmax(np.abs(saliency))))
