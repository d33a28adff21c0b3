"""Which pixel mattered: gradients summed along the way from a baseline to the image."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(10)
kernel = tf.constant(random.normal(size=(3, 3, 2, 4)), tf.float32) * 0.3
head = tf.constant(random.normal(size=(4, 3)), tf.float32)
image = tf.constant(random.uniform(size=(6, 6, 2)), tf.float32)
baseline = tf.zeros(shape=(6, 6, 2))
m_steps = 20
alphas = tf.linspace(start=0.0, stop=1.0, num=m_steps + 1)


def model(images):
    features = tf.nn.relu(tf.nn.conv2d(images, kernel, strides=1, padding="SAME"))
    return tf.reduce_mean(features, axis=[1, 2]) @ head


def interpolate_images(baseline, image, alphas):
    alphas_x = alphas[:, tf.newaxis, tf.newaxis, tf.newaxis]
    baseline_x = tf.expand_dims(baseline, axis=0)
    delta = tf.expand_dims(image, axis=0) - baseline_x
    return baseline_x + alphas_x * delta


def compute_gradients(images, target_class_idx):
    with tf.GradientTape() as tape:
        tape.watch(images)
        logits = model(images)
        probs = tf.nn.softmax(logits, axis=-1)[:, target_class_idx]
    return tape.gradient(probs, images)


def integral_approximation(gradients):
    grads = (gradients[:-1] + gradients[1:]) / tf.constant(2.0)
    return tf.math.reduce_mean(grads, axis=0)


interpolated = interpolate_images(baseline, image, alphas)
path_gradients = compute_gradients(interpolated, target_class_idx=1)
print(path_gradients.shape)
pred = tf.nn.softmax(model(interpolated), axis=-1)[:, 1]
print("pred:", pred.numpy()[:4], tf.math.top_k(pred, 2).indices.numpy())
avg = integral_approximation(path_gradients)
attributions = (image - baseline) * avg
print(tf.reduce_sum(tf.math.abs(attributions), axis=-1))
score = tf.nn.softmax(model(tf.stack([baseline, image])), axis=-1)[:, 1]
print("completeness gap: %.3f" % float(abs(tf.reduce_sum(attributions) - (score[1] - score[0]))))

batches = []
for start in tf.range(0, len(alphas), 8):
    end = tf.minimum(start + 8, len(alphas))
    batches.append(compute_gradients(interpolate_images(baseline, image, alphas[start:end]), 1))
total = tf.concat(batches, axis=0)
print(total.shape, bool(tf.reduce_all(tf.abs(total - path_gradients) < 1e-6)))
