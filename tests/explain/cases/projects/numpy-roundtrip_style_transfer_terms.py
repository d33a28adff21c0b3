import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)

WEIGHTS = {"content": 1.0, "style": 25.0, "variation": 1e-3}


class FeatureExtractor(tf.keras.Model):
    """A tiny stand-in for the convolutional part of VGG."""

    def __init__(self):
        super().__init__()
        self.block1 = tf.keras.layers.Conv2D(4, 3, padding="same", activation="tanh")
        self.block2 = tf.keras.layers.Conv2D(6, 3, strides=2, padding="same", activation="tanh")

    def call(self, image):
        low = self.block1(image)
        high = self.block2(low)
        return {"low": low, "high": high}


def gram_matrix(features):
    channels = features.shape[-1]
    flat = np.reshape(features, (-1, channels))
    return tf.matmul(flat, flat, transpose_a=True) / float(len(flat))


def total_variation(image):
    return tf.reduce_sum(tf.image.total_variation(image))


class StyleTransfer:
    def __init__(self, content, style):
        self.extractor = FeatureExtractor()
        self.content_target = self.extractor(content)["high"]
        self.style_targets = {k: gram_matrix(f) for k, f in self.extractor(style).items()}
        self.image = tf.Variable(content)
        self.optimizer = tf.keras.optimizers.Adam(0.02)
        self.history = []

    def terms(self):
        features = self.extractor(self.image)
        content = tf.reduce_mean((features["high"] - self.content_target) ** 2)
        style = tf.add_n(
            [
                tf.reduce_mean((gram_matrix(features[k]) - target) ** 2)
                for k, target in self.style_targets.items()
            ]
        )
        return {"content": content, "style": style, "variation": total_variation(self.image)}

    def step(self):
        with tf.GradientTape(persistent=True) as tape:
            terms = self.terms()
        parts = {}
        for name, term in terms.items():
            parts[name] = tape.gradient(term, self.image)
        self.history.append({name: float(term) for name, term in terms.items()})
        total = tf.add_n([WEIGHTS[name] * part for name, part in parts.items()])
        self.optimizer.apply_gradients([(total, self.image)])
        self.image.assign(tf.clip_by_value(self.image, 0.0, 1.0))


rng = np.random.default_rng(3)
content_image = rng.uniform(0.2, 0.8, (1, 8, 8, 3)).astype("float32")
style_image = rng.uniform(0.0, 1.0, (1, 8, 8, 3)).astype("float32")

transfer = StyleTransfer(content_image, style_image)
transfer.image.assign_add(rng.normal(0.0, 0.05, (1, 8, 8, 3)).astype("float32"))
for _ in range(3):
    transfer.step()
print(transfer.history[-1])
