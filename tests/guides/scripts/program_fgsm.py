"""Adversarial examples by the fast gradient sign method, and training against them."""

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
centers = rng.normal(size=(3, 64)).astype("float32")
labels = rng.randint(0, 3, size=240)
pictures = (centers[labels] + 0.6 * rng.normal(size=(240, 64))).astype("float32").reshape(-1, 8, 8, 1)

dataset = tf.data.Dataset.from_tensor_slices((pictures, labels))
train = dataset.take(192).shuffle(192, seed=2).batch(32)
test = dataset.skip(192).batch(48)

model = tf.keras.Sequential([
    tf.keras.Input(shape=(8, 8, 1)),
    tf.keras.layers.Conv2D(8, 3, activation="relu", padding="same"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(3),
])
deep = tf.keras.Sequential([
    tf.keras.Input(shape=(8, 8, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(24, activation="tanh"),
    tf.keras.layers.Dense(3),
])
for variable in model.trainable_variables + deep.trainable_variables:
    if len(variable.shape) > 1:
        variable.assign(rng.normal(scale=0.2, size=variable.shape))

loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def create_adversarial_pattern(network, images, truth):
    images = tf.convert_to_tensor(images)
    with tf.GradientTape() as tape:
        tape.watch(images)
        prediction = network(images)
        loss = loss_object(truth, prediction)
    gradient = tape.gradient(loss, images)
    return tf.sign(gradient), gradient


def accuracy(network, images, truth):
    return float(tf.reduce_mean(tf.cast(tf.argmax(network(images), axis=1) == truth, tf.float32)))


def make_train_step(network, optimizer):
    @tf.function
    def train_step(images, truth, epsilon):
        perturbation, _ = create_adversarial_pattern(network, images, truth)
        with tf.GradientTape() as tape:
            clean = loss_object(truth, network(images, training=True))
            attacked = loss_object(truth, network(images + epsilon * perturbation, training=True))
            loss = 0.5 * (clean + attacked)
        gradients = tape.gradient(loss, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables))
        return clean, attacked

    return train_step


for name, network in (("convolution", model), ("dense", deep)):
    train_step = make_train_step(network, tf.keras.optimizers.SGD(0.05, momentum=0.9))
    for epoch in range(3):
        for images, truth in train:
            clean, attacked = train_step(images, truth, 0.1)
        print(f"{name} {epoch}: clean {clean:.3f}, attacked {attacked:.3f}")
    images, truth = next(iter(test))
    signs, gradient = create_adversarial_pattern(network, images, truth)
    print(signs.shape, gradient is None, "largest slope %.4f" % tf.reduce_max(tf.abs(gradient)))
    for epsilon in (0.0, 0.1, 0.5):
        adversarial = tf.clip_by_value(images + epsilon * signs, -4, 4)
        print("  epsilon %.1f: loss %.3f" % (epsilon, loss_object(truth, network(adversarial))))
    print("  most are right:", accuracy(network, images, truth) > 0.4)

# Without tape.watch a picture is no source.
with tf.GradientTape() as tape:
    loss = loss_object(truth, deep(images))
print(tape.gradient(loss, images))
