"""A step along the sign of the gradient turns a classifier's mind; a saliency map shows where."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(11)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.trainable = False
image = tf.constant(random.uniform(-1, 1, size=(1, 8, 8, 1)), tf.float32)
model(image)
model.set_weights([random.normal(size=w.shape).astype(np.float32) * 0.4 for w in model.get_weights()])
print(len(model.trainable_variables), len(model.variables))
loss_object = tf.keras.losses.CategoricalCrossentropy()


def create_adversarial_pattern(input_image, input_label):
    with tf.GradientTape() as tape:
        tape.watch(input_image)
        prediction = model(input_image)
        loss = loss_object(input_label, prediction)
    gradient = tape.gradient(loss, input_image)
    return tf.sign(gradient), gradient


before = model(image)
label = tf.one_hot(tf.argmax(before[0]), before.shape[-1])
label = tf.reshape(label, (1, before.shape[-1]))
perturbations, gradient = create_adversarial_pattern(image, label)
print(label.numpy(), np.unique(perturbations.numpy()))
for eps in [0, 0.01, 0.1, 0.15, 0.5]:
    adv_x = image + eps * perturbations
    adv_x = tf.clip_by_value(adv_x, -1, 1)
    probabilities = model(adv_x)
    print("Epsilon = {:0.3f}".format(eps) if eps else "Input", probabilities.numpy().round(4))

saliency = tf.reduce_max(tf.abs(gradient), axis=-1)[0]
saliency = (saliency - tf.reduce_min(saliency)) / (tf.reduce_max(saliency) - tf.reduce_min(saliency))
print(saliency.shape, tf.unravel_index(tf.argmax(tf.reshape(saliency, [-1])), [8, 8]).numpy())
print(saliency[0].numpy().round(4))
