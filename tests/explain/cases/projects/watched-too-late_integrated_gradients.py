import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(14)

MEAN = tf.constant([0.45, 0.40, 0.38])
SPREAD = tf.constant([0.22, 0.20, 0.21])


def classifier():
    inputs = tf.keras.Input((8, 8, 3))
    x = tf.keras.layers.Conv2D(6, 3, activation="relu", padding="same")(inputs)
    x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.Flatten()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(4)(x))


class Explainer:
    def __init__(self, model, steps=8):
        self.model = model
        self.alphas = tf.linspace(0.0, 1.0, steps + 1)

    def preprocess(self, images):
        return (images - MEAN) / SPREAD

    def path(self, baseline, image):
        a = self.alphas[:, None, None, None]
        return baseline[None] + a * (image - baseline)[None]

    def gradients(self, images, target):
        with tf.GradientTape() as tape:
            batch = self.preprocess(images)
            tape.watch(images)
            probabilities = tf.nn.softmax(self.model(batch), axis=-1)
            score = probabilities[:, target]
        return tape.gradient(score, images)

    def integrate(self, grads):
        trapezoids = (grads[:-1] + grads[1:]) / 2.0
        return tf.reduce_mean(trapezoids, axis=0)

    def __call__(self, image, target, baseline=None):
        if baseline is None:
            baseline = tf.zeros_like(image)
        grads = self.gradients(self.path(baseline, image), target)
        return (image - baseline) * self.integrate(tf.convert_to_tensor(grads))


image = tf.constant(np.random.default_rng(3).uniform(size=(8, 8, 3)).astype("float32"))
explainer = Explainer(classifier())
scores = explainer.model(explainer.preprocess(image[None]))[0]
attributions = explainer(image, int(tf.argmax(scores)))
print(tf.reduce_sum(attributions, axis=-1).numpy().round(4))
