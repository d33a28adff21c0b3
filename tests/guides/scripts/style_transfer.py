"""Gram matrices and total variation: an image that is optimised."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(22)
kernel = tf.constant(random.normal(size=(3, 3, 3, 4)), tf.float32) * 0.3


def features(image):
    hidden = tf.nn.relu(tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="SAME"))
    return hidden, tf.nn.max_pool2d(hidden, ksize=2, strides=2, padding="VALID")


def gram_matrix(input_tensor):
    result = tf.linalg.einsum("bijc,bijd->bcd", input_tensor, input_tensor)
    input_shape = tf.shape(input_tensor)
    num_locations = tf.cast(input_shape[1] * input_shape[2], tf.float32)
    return result / num_locations


def high_pass_x_y(image):
    x_var = image[:, :, 1:, :] - image[:, :, :-1, :]
    y_var = image[:, 1:, :, :] - image[:, :-1, :, :]
    return x_var, y_var


def total_variation_loss(image):
    x_deltas, y_deltas = high_pass_x_y(image)
    return tf.reduce_sum(tf.abs(x_deltas)) + tf.reduce_sum(tf.abs(y_deltas))


def clip_0_1(image):
    return tf.clip_by_value(image, clip_value_min=0.0, clip_value_max=1.0)


content = tf.constant(random.uniform(size=(1, 6, 6, 3)), tf.float32)
style = tf.constant(random.uniform(size=(1, 6, 6, 3)), tf.float32)
style_targets = [gram_matrix(f) for f in features(style)]
content_target = features(content)[1]
image = tf.Variable(content)
opt = tf.keras.optimizers.Adam(learning_rate=0.02, beta_1=0.99, epsilon=1e-1)
for step in range(6):
    with tf.GradientTape() as tape:
        outputs = features(image)
        style_loss = tf.add_n([tf.reduce_mean((gram_matrix(o) - t) ** 2) for o, t in zip(outputs, style_targets)])
        content_loss = tf.reduce_mean((outputs[1] - content_target) ** 2)
        loss = 10 * style_loss + content_loss + 1e-3 * total_variation_loss(image)
    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])
    image.assign(clip_0_1(image))
    print(step, loss.numpy())
print(total_variation_loss(image).numpy())
print(tf.cast(image * 255, tf.uint8)[0, 0].numpy())
