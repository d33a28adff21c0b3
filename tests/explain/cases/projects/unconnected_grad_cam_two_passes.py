import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(200)


def make_model(classes=3):
    return tf.keras.Sequential(
        [
            tf.keras.Input((10, 10, 1)),
            layers.Conv2D(5, 3, use_bias=False, name="first_conv"),
            layers.BatchNormalization(name="norm"),
            layers.Activation("elu"),
            layers.Conv2D(6, 3, activation="elu", name="last_conv"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(classes, name="scores"),
        ]
    )


class GradCAM:
    def __init__(self, model, layer_name):
        self.model = model
        self.activations = tf.keras.Model(model.inputs, model.get_layer(layer_name).output)

    def heat(self, image, target):
        with tf.GradientTape() as tape:
            maps = self.activations(image)
            tape.watch(maps)
            score = self.model(image)[:, target]
        slopes = tape.gradient(score, maps)
        if slopes is None:
            return tf.zeros(maps.shape[1:3])
        weights = tf.reduce_mean(slopes, axis=(1, 2))
        heat = tf.nn.relu(tf.einsum("bhwc,bc->hw", maps, weights))
        return heat / (tf.reduce_max(heat) + 1e-8)


def bars(count):
    rng = np.random.default_rng(200)
    labels = rng.integers(0, 3, count).astype("int32")
    images = rng.normal(0.0, 0.3, (count, 10, 10, 1))
    for image, label in zip(images, labels):
        if label == 1:
            image[rng.integers(10)] += 1.5
        elif label == 2:
            image[:, rng.integers(10)] += 1.5
    return images.astype("float32"), labels


def overlay(heat):
    shades = " .:-=+*#%@"
    return "\n".join("".join(shades[int(9 * v)] for v in row) for row in heat.numpy())


images, labels = bars(32)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(16)
model = make_model()
optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)
for epoch in range(2):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True))
            loss = tf.reduce_mean(losses)
        grads = tape.gradient(loss, model.variables)
        optimizer.apply_gradients((g, v) for g, v in zip(grads, model.variables) if g is not None)
    print(epoch, float(loss))

cam = GradCAM(model, "last_conv")
print(overlay(cam.heat(images[:1], int(labels[0]))))
