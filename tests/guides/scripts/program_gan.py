"""A generative adversarial network learns a ring of points."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

NOISE_DIM = 4
BATCH_SIZE = 64
EPOCHS = 2

rng = np.random.RandomState(0)
angles = rng.uniform(0, 2 * np.pi, size=512)
points = np.stack([np.cos(angles), np.sin(angles)], axis=1) + rng.normal(scale=0.05, size=(512, 2))
noises = rng.normal(size=(EPOCHS * 8, BATCH_SIZE, NOISE_DIM)).astype("float32")

dataset = tf.data.Dataset.from_tensor_slices(points.astype("float32")).shuffle(512, seed=3)
dataset = dataset.batch(BATCH_SIZE, drop_remainder=True)


def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Input(shape=(NOISE_DIM,)))
    model.add(layers.Dense(32, use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Dense(32))
    model.add(layers.LeakyReLU())
    model.add(layers.Dense(2))
    return model


def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Input(shape=(2,)))
    model.add(layers.Dense(32))
    model.add(layers.LeakyReLU())
    model.add(layers.Dense(32))
    model.add(layers.LeakyReLU())
    model.add(layers.Dense(1))
    return model


def set_to_known_weights(model):
    for variable in model.trainable_variables:
        if len(variable.shape) == 2:
            variable.assign(rng.normal(scale=0.3, size=variable.shape))


generator = make_generator_model()
discriminator = make_discriminator_model()
set_to_known_weights(generator)
set_to_known_weights(discriminator)

cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(tf.ones_like(fake_output), fake_output)


generator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)


@tf.function
def train_step(real, noise):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise, training=True)

        real_output = discriminator(real, training=True)
        fake_output = discriminator(generated, training=True)

        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)

    gradients_of_generator = gen_tape.gradient(gen_loss, generator.trainable_variables)
    gradients_of_discriminator = disc_tape.gradient(disc_loss, discriminator.trainable_variables)

    generator_optimizer.apply_gradients(zip(gradients_of_generator, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(
        zip(gradients_of_discriminator, discriminator.trainable_variables)
    )
    return gen_loss, disc_loss, gradients_of_generator


step = 0
for epoch in range(EPOCHS):
    for batch in dataset:
        gen_loss, disc_loss, gradients = train_step(batch, noises[step])
        step += 1
        print("step %d: generator %.3f, discriminator %.3f" % (step, gen_loss, disc_loss))

print([g.shape for g in gradients], any(g is None for g in gradients))
print(len(generator.trainable_variables), len(generator.variables), "weights of the generator")

# The generator's loss does not reach it through points that were made outside of the tape.
fake = generator(noises[0], training=False)
with tf.GradientTape() as tape:
    loss = generator_loss(discriminator(fake, training=False))
print(tape.gradient(loss, generator.trainable_variables))
