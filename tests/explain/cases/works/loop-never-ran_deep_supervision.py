"""A deeply supervised classifier: each block has a small head of its own, whose loss is added with a weight."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(43)
rng = np.random.default_rng(43)

CLASSES = 3


class DeeplySupervised(tf.keras.Model):
    def __init__(self, widths=(16, 12, 8)):
        super().__init__()
        self.blocks = [tf.keras.layers.Dense(width, activation="relu") for width in widths]
        self.helpers = [tf.keras.layers.Dense(CLASSES) for _ in widths[:-1]]
        self.head = tf.keras.layers.Dense(CLASSES)

    def call(self, x):
        hidden = []
        for block in self.blocks:
            x = block(x)
            hidden.append(x)
        return self.head(x), hidden[:-1]


class Objective:
    """The loss of the last head, and of those that help it to learn."""

    def __init__(self, model, weights=(0.3, 0.5)):
        self.model = model
        self.weights = weights
        self.cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.largest = []

    def helping_terms(self, hidden, labels):
        for weight, helper, features in zip(self.weights, self.model.helpers, hidden):
            yield weight * self.cross_entropy(labels, helper(features))

    def __call__(self, x, labels):
        logits, hidden = self.model(x)
        loss = self.cross_entropy(labels, logits)
        terms = self.helping_terms(hidden, labels)
        self.largest.append(max(float(term) for term in terms))
        return loss + sum(terms)


def clusters(count):
    labels = rng.integers(0, CLASSES, count)
    centres = np.array([[0.0, 1.5], [1.3, -0.7], [-1.3, -0.7]])
    return (centres[labels] + 0.4 * rng.normal(size=(count, 2))).astype("float32"), labels


model = DeeplySupervised()
objective = Objective(model)
optimizer = tf.keras.optimizers.Adam(0.01)
x, labels = clusters(30)

for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = objective(x, labels)
    layers = [*model.blocks, model.head, *model.helpers]
    weights = [w for layer in layers for w in layer.trainable_variables]
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(f"epoch {epoch}: loss {float(loss):.4f}, largest helping term {objective.largest[-1]:.4f}")
