"""A variational autoencoder: reparameterised noise, log-density by hand."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(14)


class CVAE(tf.keras.Model):
    def __init__(self, latent_dim):
        super().__init__()
        self.latent_dim = latent_dim
        self.encoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(shape=(6, 6, 1)),
            tf.keras.layers.Conv2D(filters=4, kernel_size=3, strides=(2, 2), activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(latent_dim + latent_dim),
        ])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(shape=(latent_dim,)),
            tf.keras.layers.Dense(units=3 * 3 * 2, activation=tf.nn.relu),
            tf.keras.layers.Reshape(target_shape=(3, 3, 2)),
            tf.keras.layers.Conv2DTranspose(filters=1, kernel_size=3, strides=2, padding="same"),
        ])

    def encode(self, x):
        mean, logvar = tf.split(self.encoder(x), num_or_size_splits=2, axis=1)
        return mean, logvar

    def reparameterize(self, mean, logvar):
        eps = tf.constant(random.normal(size=mean.shape), dtype=tf.float32)
        return eps * tf.exp(logvar * 0.5) + mean

    def decode(self, z, apply_sigmoid=False):
        logits = self.decoder(z)
        if apply_sigmoid:
            return tf.sigmoid(logits)
        return logits


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2.0 * np.pi)
    return tf.reduce_sum(-0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi), axis=raxis)


def compute_loss(model, x):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar)
    x_logit = model.decode(z)
    cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
    logpx_z = -tf.reduce_sum(cross_ent, axis=[1, 2, 3])
    logpz = log_normal_pdf(z, 0.0, 0.0)
    logqz_x = log_normal_pdf(z, mean, logvar)
    return -tf.reduce_mean(logpx_z + logpz - logqz_x)


model = CVAE(2)
model.encoder.set_weights([random.normal(size=w.shape).astype("float32") * 0.3 for w in model.encoder.get_weights()])
model.decoder.set_weights([random.normal(size=w.shape).astype("float32") * 0.3 for w in model.decoder.get_weights()])
x = tf.constant((random.uniform(size=(8, 6, 6, 1)) > 0.6).astype("float32"))
optimizer = tf.keras.optimizers.Adam(1e-2)
loss_mean = tf.keras.metrics.Mean()
for epoch in range(1, 5):
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    loss_mean(loss)
    print("Epoch: {}, ELBO: {:.4f}".format(epoch, -loss_mean.result()))
print(len(model.trainable_variables), model.decode(tf.zeros([1, 2]), apply_sigmoid=True)[0, 0, :, 0].numpy().round(4))
