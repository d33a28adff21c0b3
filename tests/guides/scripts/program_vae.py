"""A variational autoencoder with a model of its own, on pictures of bars."""

import numpy as np
import tensorflow as tf

LATENT_DIM = 2
rng = np.random.RandomState(0)


def make_bars(count):
    images = np.zeros((count, 8, 8, 1), "float32")
    for image in images:
        start = rng.randint(0, 6)
        if rng.rand() < 0.5:
            image[start:start + 2] = 1.0
        else:
            image[:, start:start + 2] = 1.0
    return images


train_images = make_bars(192)
test_images = make_bars(32)
train_dataset = tf.data.Dataset.from_tensor_slices(train_images).shuffle(192, seed=1).batch(32)
test_dataset = tf.data.Dataset.from_tensor_slices(test_images).batch(32)


class CVAE(tf.keras.Model):
    """Convolutional variational autoencoder."""

    def __init__(self, latent_dim):
        super().__init__()
        self.latent_dim = latent_dim
        self.encoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(input_shape=(8, 8, 1)),
            tf.keras.layers.Conv2D(8, 3, strides=(2, 2), activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(latent_dim + latent_dim),
        ])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(input_shape=(latent_dim,)),
            tf.keras.layers.Dense(4 * 4 * 8, activation=tf.nn.relu),
            tf.keras.layers.Reshape(target_shape=(4, 4, 8)),
            tf.keras.layers.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=1, padding="same"),
        ])

    def encode(self, x):
        mean, logvar = tf.split(self.encoder(x), num_or_size_splits=2, axis=1)
        return mean, logvar

    def reparameterize(self, mean, logvar, eps):
        return eps * tf.exp(logvar * 0.5) + mean

    def decode(self, z, apply_sigmoid=False):
        logits = self.decoder(z)
        if apply_sigmoid:
            return tf.sigmoid(logits)
        return logits


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2.0 * np.pi)
    return tf.reduce_sum(
        -0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi), axis=raxis
    )


def compute_loss(model, x, eps):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar, eps)
    x_logit = model.decode(z)
    cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
    logpx_z = -tf.reduce_sum(cross_ent, axis=[1, 2, 3])
    logpz = log_normal_pdf(z, 0.0, 0.0)
    logqz_x = log_normal_pdf(z, mean, logvar)
    return -tf.reduce_mean(logpx_z + logpz - logqz_x)


@tf.function
def train_step(model, x, eps, optimizer):
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x, eps)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


model = CVAE(LATENT_DIM)
for variable in model.trainable_variables:
    if len(variable.shape) > 1:
        variable.assign(rng.normal(scale=0.1, size=variable.shape))
optimizer = tf.keras.optimizers.Adam(1e-2)

for epoch in range(1, 4):
    for train_x in train_dataset:
        eps = rng.normal(size=(train_x.shape[0], LATENT_DIM)).astype("float32")
        last = train_step(model, train_x, eps, optimizer)
    loss = tf.keras.metrics.Mean()
    for test_x in test_dataset:
        loss(compute_loss(model, test_x, np.zeros((32, LATENT_DIM), "float32")))
    print("Epoch: %d, test ELBO: %.2f, last batch %.2f" % (epoch, -loss.result(), -last))

print([tuple(v.shape) for v in model.trainable_variables])

# What is drawn inside has no slope by itself: it goes through mean and logvar.
with tf.GradientTape() as tape:
    mean, logvar = model.encode(test_images)
    z = model.reparameterize(mean, logvar, tf.zeros_like(mean))
    energy = tf.reduce_sum(z ** 2)
gradients = tape.gradient(energy, model.encoder.trainable_variables + model.decoder.trainable_variables)
print([None if g is None else g.shape for g in gradients])
print(model.decode(mean, apply_sigmoid=True).shape)
