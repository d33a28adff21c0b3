"""A convolutional GAN, two tapes at once over one pass."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

random = np.random.default_rng(13)


def seeded(model):
    model.set_weights([
        (np.ones if "variance" in w.name or "gamma" in w.name else random.normal)(size=w.shape).astype("float32") * 0.2
        if not ("variance" in w.name or "gamma" in w.name) else np.ones(w.shape, "float32")
        for w in model.weights
    ])


def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Dense(2 * 2 * 4, use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((2, 2, 4)))
    model.add(layers.Conv2DTranspose(3, (3, 3), strides=(1, 1), padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2DTranspose(1, (3, 3), strides=(2, 2), padding="same", use_bias=False, activation="tanh"))
    return model


def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(3, (3, 3), strides=(2, 2), padding="same"))
    model.add(layers.LeakyReLU())
    model.add(layers.Dropout(0.0))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


generator, discriminator = make_generator_model(), make_discriminator_model()
noise = tf.constant(random.normal(size=(6, 5)), tf.float32)
images = tf.constant(random.uniform(-1, 1, size=(6, 4, 4, 1)), tf.float32)
print(discriminator(generator(noise, training=False)).shape)
seeded(generator)
seeded(discriminator)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-2)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-2)


def train_step(images):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = cross_entropy(tf.ones_like(real_output), real_output) + cross_entropy(
            tf.zeros_like(fake_output), fake_output)
    g_grads = gen_tape.gradient(gen_loss, generator.trainable_variables)
    d_grads = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(g_grads, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(d_grads, discriminator.trainable_variables))
    return gen_loss, disc_loss


for _ in range(3):
    print(*(f"{float(v):.4f}" for v in train_step(images)))
print(generator(noise, training=False)[0, :, :, 0].numpy().round(3))
