"""Grad-CAM: the gradient of a class score at a convolution's output, pooled into a heat map."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

random = np.random.default_rng(31)
inputs = keras.Input(shape=(8, 8, 1))
x = keras.layers.Conv2D(4, 3, activation="relu", padding="same", name="last_conv")(inputs)
x = keras.layers.GlobalAveragePooling2D()(x)
outputs = keras.layers.Dense(3)(x)
model = keras.Model(inputs, outputs)
model.set_weights([random.normal(size=w.shape).astype("float32") for w in model.get_weights()])
img_array = random.uniform(size=(1, 8, 8, 1)).astype("float32")


def make_gradcam_heatmap(img_array, model, last_conv_layer_name, pred_index=None):
    grad_model = keras.models.Model(model.inputs, [model.get_layer(last_conv_layer_name).output, model.output])
    with tf.GradientTape() as tape:
        last_conv_layer_output, preds = grad_model(img_array)
        if pred_index is None:
            pred_index = tf.argmax(preds[0])
        class_channel = preds[:, pred_index]
    grads = tape.gradient(class_channel, last_conv_layer_output)
    pooled_grads = tf.reduce_mean(grads, axis=(0, 1, 2))
    last_conv_layer_output = last_conv_layer_output[0]
    heatmap = last_conv_layer_output @ pooled_grads[..., tf.newaxis]
    heatmap = tf.squeeze(heatmap)
    heatmap = tf.maximum(heatmap, 0) / tf.math.reduce_max(heatmap)
    return heatmap.numpy()


print(make_gradcam_heatmap(img_array, model, "last_conv").round(4))
print(make_gradcam_heatmap(img_array, model, "last_conv", pred_index=2)[0].round(4))


@tf.custom_gradient
def guided_relu(x):
    def grad(dy):
        return tf.cast(dy > 0, tf.float32) * tf.cast(x > 0, tf.float32) * dy

    return tf.nn.relu(x), grad


kernel, bias = model.get_layer("last_conv").get_weights()
image = tf.constant(img_array)
with tf.GradientTape() as tape:
    tape.watch(image)
    guided = guided_relu(tf.nn.bias_add(tf.nn.conv2d(image, kernel, 1, "SAME"), bias))
    top = tf.reduce_sum(guided[..., 0]) - tf.reduce_sum(guided[..., 1])
print(tape.gradient(top, image)[0, :2, :, 0].numpy().round(4))

noisy = []
for _ in range(4):
    sample = image + random.normal(size=image.shape).astype("float32") * 0.1
    with tf.GradientTape() as tape:
        tape.watch(sample)
        score = model(sample)[:, 1]
    noisy.append(tape.gradient(score, sample))
smooth = tf.reduce_mean(tf.abs(tf.concat(noisy, axis=0)), axis=[0, -1])
print(smooth.shape, smooth[0].numpy().round(5))
