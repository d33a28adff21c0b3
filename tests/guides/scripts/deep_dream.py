"""Gradient ascent on an image, in octaves and tiles."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(23)
dream_model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 3, activation="relu", padding="same"),
    tf.keras.layers.AveragePooling2D(2),
    tf.keras.layers.Conv2D(2, 3, activation="elu", padding="same"),
])
img = tf.constant(random.uniform(-1, 1, size=(8, 8, 3)), tf.float32)
dream_model(img[tf.newaxis])
dream_model.set_weights([random.normal(size=w.shape).astype("float32") * 0.3 for w in dream_model.get_weights()])


def calc_loss(img, model):
    img_batch = tf.expand_dims(img, axis=0)
    layer_activations = model(img_batch)
    if len(layer_activations) == 1:
        layer_activations = [layer_activations]
    losses = []
    for act in layer_activations:
        loss = tf.math.reduce_mean(act)
        losses.append(loss)
    return tf.reduce_sum(losses)


class DeepDream(tf.Module):
    def __init__(self, model):
        self.model = model

    @tf.function(
        input_signature=(
            tf.TensorSpec(shape=[None, None, 3], dtype=tf.float32),
            tf.TensorSpec(shape=[], dtype=tf.int32),
            tf.TensorSpec(shape=[], dtype=tf.float32),
        )
    )
    def __call__(self, img, steps, step_size):
        loss = tf.constant(0.0)
        for n in tf.range(steps):
            with tf.GradientTape() as tape:
                tape.watch(img)
                loss = calc_loss(img, self.model)
            gradients = tape.gradient(loss, img)
            gradients /= tf.math.reduce_std(gradients) + 1e-8
            img = img + gradients * step_size
            img = tf.clip_by_value(img, -1, 1)
        return loss, img


deepdream = DeepDream(dream_model)
for _ in range(3):
    loss, img = deepdream(img, tf.constant(4), tf.constant(0.02))
    print("loss {:.5f}".format(float(loss)), img[0, 0].numpy())
shift_down, shift_right = 2, 3
rolled = tf.roll(img, shift=[shift_down, shift_right], axis=[0, 1])
gradients = tf.zeros_like(rolled)
for x in tf.range(0, 8, 4):
    for y in tf.range(0, 8, 4):
        with tf.GradientTape() as tape:
            tape.watch(rolled)
            tile = rolled[y : y + 4, x : x + 4]
            loss = calc_loss(tile, dream_model)
        gradients = gradients + tape.gradient(loss, rolled)
gradients = tf.roll(gradients, shift=[-shift_down, -shift_right], axis=[0, 1])
gradients /= tf.math.reduce_std(gradients) + 1e-8
print(gradients[0, :2].numpy())
