"""Train a classifier on one sensor and align its features with those of a second sensor."""

import numpy as np
import tensorflow as tf

from adapt_parts.kernels import maximum_mean_discrepancy
from adapt_parts.networks import make_classifier, make_encoder

tf.random.set_seed(11)
rng = np.random.default_rng(11)

ALIGN_WEIGHT = 0.3
source_x = rng.normal(0.0, 1.0, (48, 6)).astype("float32")
source_y = (source_x[:, 0] - source_x[:, 3] > 0).astype("int32")
target_x = (rng.normal(0.0, 1.2, (48, 6)) + 0.4).astype("float32")

encoder = make_encoder(units=(12, 5))
classifier = make_classifier(classes=2)
encoder_optimizer = tf.keras.optimizers.Adam(1e-3)
classifier_optimizer = tf.keras.optimizers.Adam(1e-3)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def train_step(xs, ys, xt):
    with tf.GradientTape(persistent=True) as tape:
        features_s = encoder(xs, training=True)
        features_t = encoder(xt, training=True)
        label_loss = cross_entropy(ys, classifier(features_s))
        align_loss = maximum_mean_discrepancy(features_s, features_t, bandwidth=2.0)
    head_grads = tape.gradient(label_loss, classifier.trainable_variables)
    label_grads = tape.gradient(label_loss, encoder.trainable_variables)
    align_grads = tape.gradient(align_loss, encoder.trainable_variables)
    del tape
    merged = [g + ALIGN_WEIGHT * a for g, a in zip(label_grads, align_grads)]
    classifier_optimizer.apply_gradients(zip(head_grads, classifier.trainable_variables))
    encoder_optimizer.apply_gradients(zip(merged, encoder.trainable_variables))
    return label_loss, align_loss


for epoch in range(2):
    order = rng.permutation(48)
    for rows in np.split(order, 3):
        label_loss, align_loss = train_step(source_x[rows], source_y[rows], target_x[rows])
    print(f"epoch {epoch}: label {label_loss:.3f} align {align_loss:.3f}")
