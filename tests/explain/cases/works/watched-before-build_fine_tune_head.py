"""Fine-tuning: the backbone stays as it is, only a new classification head is trained, so only the head is recorded."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
rng = np.random.default_rng(7)


def make_backbone():
    """Stands in for a network that was trained on a large data set."""
    return tf.keras.Sequential(
        [
            tf.keras.Input((8, 8, 3)),
            tf.keras.layers.Conv2D(6, 3, activation="relu"),
            tf.keras.layers.Conv2D(8, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
        ],
        name="backbone",
    )


class Head(tf.keras.Model):
    def __init__(self, classes, rate=0.0):
        super().__init__()
        self.norm = tf.keras.layers.LayerNormalization()
        self.drop = tf.keras.layers.Dropout(rate)
        self.scores = tf.keras.layers.Dense(classes)

    def call(self, features, training=False):
        return self.scores(self.drop(self.norm(features), training=training))


class FineTuner:
    def __init__(self, backbone, head, rate=1e-2):
        self.backbone = backbone
        self.head = head
        self.optimizer = tf.keras.optimizers.Adam(rate)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def step(self, images, labels):
        # the backbone is large: do not let the tape hold on to all its activations
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(self.head.trainable_variables)
            features = self.backbone(images, training=False)
            logits = self.head(features, training=True)
            loss = self.loss_fn(labels, logits)
        grads = tape.gradient(loss, self.head.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.head.trainable_variables))
        return loss


images = rng.normal(size=(12, 8, 8, 3)).astype("float32")
labels = rng.integers(0, 4, size=12)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(6)

backbone = make_backbone()
backbone.trainable = False
tuner = FineTuner(backbone, Head(classes=4))

for epoch in range(2):
    for batch, targets in dataset:
        loss = tuner.step(batch, targets)
    print(f"epoch {epoch}: loss {float(loss):.4f}")
