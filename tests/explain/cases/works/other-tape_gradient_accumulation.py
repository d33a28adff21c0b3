"""Large batches on a small machine: the loss of several micro-batches is added up before the weights are changed."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(23)
rng = np.random.default_rng(23)

MICRO, ACCUMULATE = 4, 3


class TextClassifier(tf.keras.Model):
    def __init__(self, words, classes):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(words, 8)
        self.rnn = tf.keras.layers.LSTM(10)
        self.head = tf.keras.layers.Dense(classes)

    def call(self, tokens, training=False):
        return self.head(self.rnn(self.embed(tokens), training=training))


def reviews(count, words=30, length=7):
    """Sentences whose label depends on how often the first ten words turn up."""
    tokens = rng.integers(0, words, size=(count, length))
    label = (np.sum(tokens < 10, axis=1) > 2).astype("int64")
    return tokens, label


class Accumulator:
    """Counts what was trained on, and how well that went."""

    def __init__(self):
        self.loss = tf.keras.metrics.Mean()
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    def update(self, loss, labels, logits):
        self.loss.update_state(loss)
        self.accuracy.update_state(labels, logits)

    def __str__(self):
        return f"loss {float(self.loss.result()):.4f} accuracy {float(self.accuracy.result()):.3f}"


def large_step(model, optimizer, loss_fn, micro_batches, record):
    total = 0.0
    for tokens, labels in micro_batches:
        with tf.GradientTape() as tape:
            logits = model(tokens, training=True)
            loss = loss_fn(labels, logits) / ACCUMULATE
            total += loss
        record.update(loss * ACCUMULATE, labels, logits)
    grads = tape.gradient(total, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return total, norm


model = TextClassifier(words=30, classes=2)
optimizer = tf.keras.optimizers.Adam(1e-2)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
dataset = tf.data.Dataset.from_tensor_slices(reviews(24)).batch(MICRO)

for epoch in range(2):
    record = Accumulator()
    window = []
    for batch in dataset:
        window.append(batch)
        if len(window) == ACCUMULATE:
            total, norm = large_step(model, optimizer, loss_fn, window, record)
            window = []
    print(epoch, record, f"last norm {float(norm):.3f}")
