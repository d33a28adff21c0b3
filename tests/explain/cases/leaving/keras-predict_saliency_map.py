import numpy as np
import tensorflow as tf


def saliency(network, image, label):
    image = tf.convert_to_tensor(image[np.newaxis])
    with tf.GradientTape() as tape:
        tape.watch(image)
        scores = network.predict(image, verbose=0)
        score = tf.gather(scores[0], label)
    return tape.gradient(score, image)


tf.keras.utils.set_random_seed(9)
network = tf.keras.Sequential(
    [
        tf.keras.layers.Input(shape=(6, 6, 1)),
        tf.keras.layers.Conv2D(2, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(4),
    ]
)
picture = np.random.default_rng(1).uniform(size=(6, 6, 1)).astype("float32")
heat = saliency(network, picture, label=2)
print("saliency:", heat)
