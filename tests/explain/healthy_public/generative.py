# %% dcgan_small
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(0)


def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Dense(2 * 2 * 8, use_bias=False, input_shape=(6,)))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((2, 2, 8)))
    model.add(layers.Conv2DTranspose(4, (3, 3), strides=(2, 2), padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2DTranspose(1, (3, 3), strides=(2, 2), padding="same", activation="tanh"))
    return model


def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(4, (3, 3), strides=(2, 2), padding="same", input_shape=[8, 8, 1]))
    model.add(layers.LeakyReLU())
    model.add(layers.Dropout(0.3))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


generator, discriminator = make_generator_model(), make_discriminator_model()
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(images):
    noise = tf.random.normal([8, 6])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(fake, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = cross_entropy(tf.ones_like(real_output), real_output)
        disc_loss += cross_entropy(tf.zeros_like(fake_output), fake_output)
    gg = gen_tape.gradient(gen_loss, generator.trainable_variables)
    dg = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    g_opt.apply_gradients(zip(gg, generator.trainable_variables))
    d_opt.apply_gradients(zip(dg, discriminator.trainable_variables))
    return gen_loss, disc_loss


for _ in range(2):
    print([float(v) for v in train_step(tf.random.uniform([8, 8, 8, 1], -1, 1))])

# %% gan_train_step_override
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)


class GAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator, self.generator, self.latent_dim = discriminator, generator, latent_dim

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    def train_step(self, real):
        batch_size = tf.shape(real)[0]
        z = tf.random.normal((batch_size, self.latent_dim))
        generated = self.generator(z)
        combined = tf.concat([generated, real], axis=0)
        labels = tf.concat([tf.ones((batch_size, 1)), tf.zeros((batch_size, 1))], axis=0)
        labels += 0.05 * tf.random.uniform(tf.shape(labels))
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(combined))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))
        z = tf.random.normal((batch_size, self.latent_dim))
        with tf.GradientTape() as tape:
            predictions = self.discriminator(self.generator(z))
            g_loss = self.loss_fn(tf.zeros((batch_size, 1)), predictions)
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        return {"d_loss": d_loss, "g_loss": g_loss}


d = keras.Sequential([keras.layers.Input((5,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
g = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(5)])
gan = GAN(d, g, 3)
gan.compile(keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3), keras.losses.BinaryCrossentropy(from_logits=True))
hist = gan.fit(tf.random.normal((32, 5)), epochs=1, batch_size=16, verbose=0)
print(sorted(hist.history))

# %% wgan_gp
import tensorflow as tf

tf.random.set_seed(0)
critic = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(1)])
gen = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(2)])
copt, gopt = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
real = tf.random.normal([16, 2]) + 3.0


def gradient_penalty(real, fake):
    alpha = tf.random.uniform([real.shape[0], 1])
    inter = real + alpha * (fake - real)
    with tf.GradientTape() as t:
        t.watch(inter)
        pred = critic(inter)
    grads = t.gradient(pred, inter)
    norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=1))
    return tf.reduce_mean((norm - 1.0) ** 2)


for it in range(2):
    for _ in range(2):
        with tf.GradientTape() as tape:
            fake = gen(tf.random.normal([16, 3]))
            loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * gradient_penalty(real, fake)
        copt.apply_gradients(zip(tape.gradient(loss, critic.trainable_variables), critic.trainable_variables))
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(critic(gen(tf.random.normal([16, 3]))))
    gopt.apply_gradients(zip(tape.gradient(g_loss, gen.trainable_variables), gen.trainable_variables))
    print(loss.numpy(), g_loss.numpy())

# %% wgan_weight_clipping
import tensorflow as tf

tf.random.set_seed(1)
critic = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(1)])
gen = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(2)])
opt_c, opt_g = tf.keras.optimizers.RMSprop(5e-4), tf.keras.optimizers.RMSprop(5e-4)
for step in range(3):
    real = tf.random.normal([20, 2], mean=1.0)
    with tf.GradientTape() as tape:
        w_dist = tf.reduce_mean(critic(gen(tf.random.normal([20, 4])))) - tf.reduce_mean(critic(real))
    opt_c.apply_gradients(zip(tape.gradient(w_dist, critic.trainable_variables), critic.trainable_variables))
    for v in critic.trainable_variables:
        v.assign(tf.clip_by_value(v, -0.1, 0.1))
    with tf.GradientTape() as tape:
        loss_g = -tf.reduce_mean(critic(gen(tf.random.normal([20, 4]))))
    opt_g.apply_gradients(zip(tape.gradient(loss_g, gen.trainable_variables), gen.trainable_variables))
print(w_dist.numpy())

# %% lsgan_conditional
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model

tf.keras.utils.set_random_seed(2)
z_in, y_in = layers.Input((4,)), layers.Input((1,), dtype="int32")
e = layers.Flatten()(layers.Embedding(3, 4)(y_in))
G = Model([z_in, y_in], layers.Dense(6, "tanh")(layers.Dense(10, "relu")(layers.Multiply()([z_in, e]))))
x_in, y2 = layers.Input((6,)), layers.Input((1,), dtype="int32")
e2 = layers.Flatten()(layers.Embedding(3, 6)(y2))
D = Model([x_in, y2], layers.Dense(1)(layers.LeakyReLU()(layers.Dense(10)(layers.Concatenate()([x_in, e2])))))
og, od = tf.keras.optimizers.Adam(2e-4, beta_1=0.5), tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
X, Y = tf.random.normal((12, 6)), tf.random.uniform((12, 1), 0, 3, tf.int32)
for _ in range(2):
    z, yf = tf.random.normal((12, 4)), tf.random.uniform((12, 1), 0, 3, tf.int32)
    with tf.GradientTape(persistent=True) as tape:
        fake = G([z, yf])
        dr, df = D([X, Y]), D([fake, yf])
        dl = 0.5 * tf.reduce_mean((dr - 1) ** 2) + 0.5 * tf.reduce_mean(df**2)
        gl = 0.5 * tf.reduce_mean((df - 1) ** 2)
    od.apply_gradients(zip(tape.gradient(dl, D.trainable_variables), D.trainable_variables))
    og.apply_gradients(zip(tape.gradient(gl, G.trainable_variables), G.trainable_variables))
    del tape
print(float(dl), float(gl))

# %% cyclegan_losses
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


def block(out, act=None):
    return tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(out, activation=act)])


g, f, dx, dy = block(4, "tanh"), block(4, "tanh"), block(1), block(1)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
opts = [tf.keras.optimizers.Adam(2e-4) for _ in range(4)]
real_x, real_y = tf.random.normal([6, 4]), tf.random.normal([6, 4])
with tf.GradientTape(persistent=True) as tape:
    fake_y = g(real_x)
    cycled_x = f(fake_y)
    fake_x = f(real_y)
    cycled_y = g(fake_x)
    same_x, same_y = f(real_x), g(real_y)
    disc_real_x, disc_real_y = dx(real_x), dy(real_y)
    disc_fake_x, disc_fake_y = dx(fake_x), dy(fake_y)
    cycle = 10 * (tf.reduce_mean(tf.abs(real_x - cycled_x)) + tf.reduce_mean(tf.abs(real_y - cycled_y)))
    g_total = bce(tf.ones_like(disc_fake_y), disc_fake_y) + cycle + 5 * tf.reduce_mean(tf.abs(real_y - same_y))
    f_total = bce(tf.ones_like(disc_fake_x), disc_fake_x) + cycle + 5 * tf.reduce_mean(tf.abs(real_x - same_x))
    dx_loss = 0.5 * (bce(tf.ones_like(disc_real_x), disc_real_x) + bce(tf.zeros_like(disc_fake_x), disc_fake_x))
    dy_loss = 0.5 * (bce(tf.ones_like(disc_real_y), disc_real_y) + bce(tf.zeros_like(disc_fake_y), disc_fake_y))
for net, loss, opt in zip((g, f, dx, dy), (g_total, f_total, dx_loss, dy_loss), opts):
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
print(float(cycle))

# %% pix2pix_unet_generator
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


def downsample(filters, size, apply_batchnorm=True):
    initializer = tf.random_normal_initializer(0.0, 0.02)
    result = tf.keras.Sequential()
    result.add(tf.keras.layers.Conv2D(filters, size, strides=2, padding="same", kernel_initializer=initializer, use_bias=False))
    if apply_batchnorm:
        result.add(tf.keras.layers.BatchNormalization())
    result.add(tf.keras.layers.LeakyReLU())
    return result


def upsample(filters, size, apply_dropout=False):
    result = tf.keras.Sequential()
    result.add(tf.keras.layers.Conv2DTranspose(filters, size, strides=2, padding="same", use_bias=False))
    result.add(tf.keras.layers.BatchNormalization())
    if apply_dropout:
        result.add(tf.keras.layers.Dropout(0.5))
    result.add(tf.keras.layers.ReLU())
    return result


inputs = tf.keras.layers.Input(shape=[16, 16, 3])
down_stack = [downsample(4, 4, apply_batchnorm=False), downsample(8, 4), downsample(8, 4)]
up_stack = [upsample(8, 4, apply_dropout=True), upsample(4, 4)]
x, skips = inputs, []
for down in down_stack:
    x = down(x)
    skips.append(x)
for up, skip in zip(up_stack, reversed(skips[:-1])):
    x = tf.keras.layers.Concatenate()([up(x), skip])
last = tf.keras.layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh")
generator = tf.keras.Model(inputs=inputs, outputs=last(x))
target = tf.random.uniform([2, 16, 16, 3], -1, 1)
opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
with tf.GradientTape() as tape:
    out = generator(tf.random.uniform([2, 16, 16, 3], -1, 1), training=True)
    l1 = tf.reduce_mean(tf.abs(target - out))
opt.apply_gradients(zip(tape.gradient(l1, generator.trainable_variables), generator.trainable_variables))
print(l1.numpy())

# %% vae_keras_train_step
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(0)


class Sampling(layers.Layer):
    def call(self, inputs):
        z_mean, z_log_var = inputs
        epsilon = tf.random.normal(shape=tf.shape(z_mean))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


enc_in = keras.Input(shape=(8, 8, 1))
x = layers.Conv2D(4, 3, activation="relu", strides=2, padding="same")(enc_in)
x = layers.Dense(8, activation="relu")(layers.Flatten()(x))
z_mean, z_log_var = layers.Dense(2, name="z_mean")(x), layers.Dense(2, name="z_log_var")(x)
encoder = keras.Model(enc_in, [z_mean, z_log_var, Sampling()([z_mean, z_log_var])])
dec_in = keras.Input(shape=(2,))
y = layers.Reshape((4, 4, 4))(layers.Dense(64, activation="relu")(dec_in))
y = layers.Conv2DTranspose(4, 3, activation="relu", strides=2, padding="same")(y)
decoder = keras.Model(dec_in, layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(y))


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.total_loss_tracker = keras.metrics.Mean(name="total_loss")

    @property
    def metrics(self):
        return [self.total_loss_tracker]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder(data)
            reconstruction = self.decoder(z)
            rec = tf.reduce_mean(tf.reduce_sum(keras.losses.binary_crossentropy(data, reconstruction), axis=(1, 2)))
            kl_loss = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
            total_loss = rec + tf.reduce_mean(tf.reduce_sum(kl_loss, axis=1))
        grads = tape.gradient(total_loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total_loss_tracker.update_state(total_loss)
        return {"loss": self.total_loss_tracker.result()}


vae = VAE(encoder, decoder)
vae.compile(optimizer=keras.optimizers.Adam())
vae.fit(tf.random.uniform((16, 8, 8, 1)), epochs=1, batch_size=8, verbose=0)
print(vae.total_loss_tracker.result().numpy())

# %% vae_add_loss_layer
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)


class Bottleneck(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.mean = tf.keras.layers.Dense(units)
        self.logvar = tf.keras.layers.Dense(units)

    def call(self, h):
        m, lv = self.mean(h), self.logvar(h)
        self.add_loss(-0.5 * tf.reduce_mean(1 + lv - m**2 - tf.exp(lv)))
        return m + tf.exp(lv / 2) * tf.random.normal(tf.shape(m))


model = tf.keras.Sequential([tf.keras.layers.Dense(10, "relu"), Bottleneck(2), tf.keras.layers.Dense(10, "relu"), tf.keras.layers.Dense(6)])
opt = tf.keras.optimizers.Adam(1e-3)
x = np.random.rand(20, 6).astype("float32")
for epoch in range(3):
    with tf.GradientTape() as tape:
        rec = model(x)
        loss = tf.reduce_mean((x - rec) ** 2)
        loss += sum(model.losses)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
    print(epoch, float(loss))

# %% cvae_log_normal_pdf
import numpy as np
import tensorflow as tf

tf.random.set_seed(2)


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2.0 * np.pi)
    return tf.reduce_sum(-0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi), axis=raxis)


class CVAE(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(4)])
        self.decoder = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(9)])

    def encode(self, x):
        return tf.split(self.encoder(x), num_or_size_splits=2, axis=1)


model = CVAE()
optimizer = tf.keras.optimizers.Adam(1e-3)
x = tf.cast(tf.random.uniform([10, 9]) > 0.5, tf.float32)
for _ in range(2):
    with tf.GradientTape() as tape:
        mean, logvar = model.encode(x)
        z = tf.random.normal(shape=mean.shape) * tf.exp(logvar * 0.5) + mean
        x_logit = model.decoder(z)
        cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
        logpx_z = -tf.reduce_sum(cross_ent, axis=1)
        loss = -tf.reduce_mean(logpx_z + log_normal_pdf(z, 0.0, 0.0) - log_normal_pdf(z, mean, logvar))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print(loss.numpy())

# %% vq_vae_straight_through
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class VectorQuantizer(tf.keras.layers.Layer):
    def __init__(self, num_embeddings, dim, beta=0.25):
        super().__init__()
        self.beta, self.n = beta, num_embeddings
        self.embeddings = self.add_weight(shape=(dim, num_embeddings), initializer="random_uniform", name="codes")

    def call(self, x):
        sim = tf.matmul(x, self.embeddings)
        d = tf.reduce_sum(x**2, axis=1, keepdims=True) + tf.reduce_sum(self.embeddings**2, axis=0) - 2 * sim
        idx = tf.argmin(d, axis=1)
        quantized = tf.matmul(tf.one_hot(idx, self.n), self.embeddings, transpose_b=True)
        commitment = tf.reduce_mean((tf.stop_gradient(quantized) - x) ** 2)
        codebook = tf.reduce_mean((quantized - tf.stop_gradient(x)) ** 2)
        self.add_loss(self.beta * commitment + codebook)
        return x + tf.stop_gradient(quantized - x)


enc, vq, dec = tf.keras.layers.Dense(4), VectorQuantizer(8, 4), tf.keras.layers.Dense(6)
x = tf.random.normal([20, 6])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        rec = dec(vq(enc(x)))
        loss = tf.reduce_mean((rec - x) ** 2) + sum(vq.losses)
    vs = enc.trainable_variables + vq.trainable_variables + dec.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% realnvp_coupling
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)


def Coupling(dim):
    inp = keras.layers.Input(shape=(dim,))
    t = keras.layers.Dense(dim, activation="linear")(keras.layers.Dense(8, activation="relu")(inp))
    s = keras.layers.Dense(dim, activation="tanh")(keras.layers.Dense(8, activation="relu")(inp))
    return keras.Model(inputs=inp, outputs=[s, t])


class RealNVP(keras.Model):
    def __init__(self, n):
        super().__init__()
        self.masks = tf.constant([[0, 1], [1, 0]] * (n // 2), tf.float32)
        self.layers_list = [Coupling(2) for _ in range(n)]

    def call(self, x):
        log_det = 0.0
        for mask, layer in zip(tf.unstack(self.masks), self.layers_list):
            x_masked = x * mask
            s, t = layer(x_masked)
            s, t = s * (1 - mask), t * (1 - mask)
            x = (1 - mask) * (x * tf.exp(s) + t) + x_masked
            log_det += tf.reduce_sum(s, [1])
        return x, log_det


flow = RealNVP(4)
data = tf.random.normal([32, 2]) * [0.5, 2.0] + 1.0
opt = keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        z, logdet = flow(data)
        nll = -tf.reduce_mean(-0.5 * tf.reduce_sum(z**2, 1) + logdet)
    g = tape.gradient(nll, flow.trainable_variables)
    opt.apply_gradients(zip(g, flow.trainable_variables))
print(nll.numpy())

# %% planar_flow
import tensorflow as tf

tf.random.set_seed(5)
K = 3
us = [tf.Variable(tf.random.normal([2], stddev=0.1)) for _ in range(K)]
ws = [tf.Variable(tf.random.normal([2], stddev=0.5)) for _ in range(K)]
bs = [tf.Variable(0.0) for _ in range(K)]
opt = tf.keras.optimizers.Adam(0.01)


def log_target(z):
    return -0.5 * ((tf.norm(z, axis=1) - 2.0) / 0.4) ** 2


for step in range(4):
    with tf.GradientTape() as tape:
        z = tf.random.normal([40, 2])
        logdet = 0.0
        for u, w, b in zip(us, ws, bs):
            act = tf.tanh(tf.linalg.matvec(z, w) + b)
            psi = (1 - act**2)[:, None] * w
            logdet += tf.math.log(tf.abs(1 + tf.linalg.matvec(psi, u)) + 1e-6)
            z = z + act[:, None] * u
        kl = -tf.reduce_mean(log_target(z) + logdet)
    vs = us + ws + bs
    opt.apply_gradients(zip(tape.gradient(kl, vs), vs))
    print(kl.numpy())

# %% affine_flow_lu_1x1
import tensorflow as tf

tf.random.set_seed(6)
L = tf.Variable(tf.linalg.band_part(tf.random.normal([3, 3], stddev=0.1), -1, 0))
log_s = tf.Variable(tf.zeros(3))
U = tf.Variable(tf.random.normal([3, 3], stddev=0.1))
x = tf.random.normal([50, 3]) * [1.0, 2.0, 0.5]
lower = tf.constant([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]])
for i in range(4):
    with tf.GradientTape() as tape:
        W = (L * lower + tf.eye(3)) @ (U * tf.transpose(lower) + tf.linalg.diag(tf.exp(log_s)))
        z = x @ W
        ll = tf.reduce_mean(-0.5 * tf.reduce_sum(z**2, 1)) + tf.reduce_sum(log_s)
        loss = -ll
    for v, g in zip([L, log_s, U], tape.gradient(loss, [L, log_s, U])):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% maf_masked_dense
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
D, H = 3, 9
deg_in, deg_h = np.arange(1, D + 1), np.arange(H) % (D - 1) + 1
m1 = (deg_h[None] >= deg_in[:, None]).astype("float32")
m2 = (deg_in[None] > deg_h[:, None]).astype("float32")
W1 = tf.Variable(tf.random.normal([D, H], stddev=0.3))
b1 = tf.Variable(tf.zeros(H))
W2m, W2s = tf.Variable(tf.random.normal([H, D], stddev=0.3)), tf.Variable(tf.random.normal([H, D], stddev=0.3))
bm, bs = tf.Variable(tf.zeros(D)), tf.Variable(tf.zeros(D))
x = tf.random.normal([30, D])
params = [W1, b1, W2m, W2s, bm, bs]
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        h = tf.nn.tanh(x @ (W1 * m1) + b1)
        mu, alpha = h @ (W2m * m2) + bm, h @ (W2s * m2) + bs
        u = (x - mu) * tf.exp(-alpha)
        nll = tf.reduce_mean(tf.reduce_sum(0.5 * u**2 + alpha, 1))
    opt.apply_gradients(zip(tape.gradient(nll, params), params))
print(nll.numpy())

# %% diffusion_ddpm_noise_prediction
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
T = 20
betas = np.linspace(1e-4, 0.2, T, dtype="float32")
alpha_bar = np.cumprod(1 - betas).astype("float32")
net = tf.keras.Sequential([tf.keras.layers.Dense(24, "swish"), tf.keras.layers.Dense(24, "swish"), tf.keras.layers.Dense(2)])
opt = tf.keras.optimizers.Adam(1e-3)
data = np.random.randn(64, 2).astype("f") * 0.3 + [1, -1]
for step in range(3):
    t = np.random.randint(0, T, 16)
    x0 = tf.constant(data[np.random.choice(64, 16)], tf.float32)
    noise = tf.random.normal(x0.shape)
    ab = alpha_bar[t][:, None]
    xt = np.sqrt(ab) * x0 + np.sqrt(1 - ab) * noise
    with tf.GradientTape() as tape:
        emb = tf.cast(t[:, None] / T, tf.float32)
        pred = net(tf.concat([xt, emb, tf.sin(6.28 * emb)], 1))
        loss = tf.reduce_mean((noise - pred) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))
    print(loss.numpy())

# %% denoising_score_matching
import tensorflow as tf

tf.random.set_seed(9)
score = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="softplus"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(5e-3)
sigma = 0.3
for i in range(4):
    x = tf.random.normal([32, 1]) + 2.0
    eps = tf.random.normal([32, 1])
    with tf.GradientTape() as tape:
        s = score(x + sigma * eps)
        loss = 0.5 * tf.reduce_mean(tf.reduce_sum((s + eps / sigma) ** 2, -1))
    opt.apply_gradients(zip(tape.gradient(loss, score.trainable_variables), score.trainable_variables))
print(loss.numpy())

# %% implicit_score_matching_second_order
import tensorflow as tf

tf.random.set_seed(10)
energy = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(1)])
x = tf.random.normal([20, 1])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                e = energy(x)
            s = -t1.gradient(e, x)
        ds = t2.gradient(s, x)
        loss = tf.reduce_mean(0.5 * s**2 + ds)
    kernels = [v for v in energy.trainable_variables[:-1]]
    opt.apply_gradients(zip(tape.gradient(loss, kernels), kernels))
print(loss.numpy())

# %% energy_based_contrastive_divergence
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
E = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="swish"), tf.keras.layers.Dense(1, use_bias=False)])
opt = tf.keras.optimizers.Adam(1e-3)
real = tf.random.normal([24, 2]) * 0.5
neg = tf.random.uniform([24, 2], -2, 2)
for outer in range(2):
    for _ in range(3):
        with tf.GradientTape() as t:
            t.watch(neg)
            e = tf.reduce_sum(E(neg))
        neg = neg - 0.1 * t.gradient(e, neg) + 0.01 * tf.random.normal(neg.shape)
    with tf.GradientTape() as tape:
        ep, en = E(real), E(neg)
        cd = tf.reduce_mean(ep) - tf.reduce_mean(en) + 0.1 * tf.reduce_mean(ep**2 + en**2)
    opt.apply_gradients(zip(tape.gradient(cd, E.trainable_weights), E.trainable_weights))
print(cd.numpy())

# %% dense_autoencoder_fit
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, losses
from tensorflow.keras.models import Model

tf.keras.utils.set_random_seed(12)


class Autoencoder(Model):
    def __init__(self, latent_dim):
        super().__init__()
        self.encoder = tf.keras.Sequential([layers.Flatten(), layers.Dense(latent_dim, activation="relu")])
        self.decoder = tf.keras.Sequential([layers.Dense(36, activation="sigmoid"), layers.Reshape((6, 6))])

    def call(self, x):
        return self.decoder(self.encoder(x))


autoencoder = Autoencoder(8)
autoencoder.compile(optimizer="adam", loss=losses.MeanSquaredError())
x_train = np.random.rand(32, 6, 6).astype("float32")
autoencoder.fit(x_train, x_train, epochs=2, shuffle=True, verbose=0)
print(autoencoder.encoder(x_train).numpy().shape)

# %% denoising_conv_autoencoder
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(13)
inp = layers.Input((8, 8, 1))
h = layers.Conv2D(6, 3, activation="relu", padding="same", strides=2)(inp)
h = layers.Conv2D(4, 3, activation="relu", padding="same", strides=2)(h)
h = layers.Conv2DTranspose(4, 3, strides=2, activation="relu", padding="same")(h)
h = layers.Conv2DTranspose(6, 3, strides=2, activation="relu", padding="same")(h)
model = tf.keras.Model(inp, layers.Conv2D(1, 3, activation="sigmoid", padding="same")(h))
model.compile(optimizer="adam", loss="binary_crossentropy")
clean = tf.random.uniform((12, 8, 8, 1))
noisy = tf.clip_by_value(clean + 0.2 * tf.random.normal(clean.shape), 0.0, 1.0)
print(model.fit(noisy, clean, epochs=1, batch_size=6, verbose=0).history["loss"])

# %% sparse_autoencoder_activity_regularizer
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(14)
m = tf.keras.Sequential(
    [
        tf.keras.layers.Input((10,)),
        tf.keras.layers.Dense(20, activation="relu", activity_regularizer=tf.keras.regularizers.L1(1e-3)),
        tf.keras.layers.Dense(10),
    ]
)
m.compile("sgd", "mse")
X = np.random.randn(30, 10)
m.fit(X, X, epochs=2, verbose=0)
print(np.mean(m.predict(X, verbose=0)))

# %% contractive_autoencoder
import tensorflow as tf

tf.random.set_seed(15)
W = tf.Variable(tf.random.normal([6, 4], stddev=0.4))
b, c = tf.Variable(tf.zeros(4)), tf.Variable(tf.zeros(6))
x = tf.random.uniform([15, 6])
for _ in range(3):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            h = tf.sigmoid(x @ W + b)
        J = inner.batch_jacobian(h, x)
        r = tf.sigmoid(h @ tf.transpose(W) + c)
        loss = tf.reduce_mean((r - x) ** 2) + 1e-2 * tf.reduce_mean(tf.reduce_sum(J**2, [1, 2]))
    for v, g in zip((W, b, c), tape.gradient(loss, (W, b, c))):
        v.assign_sub(0.5 * g)
print(loss.numpy())

# %% adversarial_autoencoder
import tensorflow as tf

tf.keras.utils.set_random_seed(16)
L = tf.keras.layers
enc = tf.keras.Sequential([L.Dense(12, "relu"), L.Dense(2)])
dec = tf.keras.Sequential([L.Dense(12, "relu"), L.Dense(5)])
disc = tf.keras.Sequential([L.Dense(12, "relu"), L.Dense(1, "sigmoid")])
bce = tf.keras.losses.BinaryCrossentropy()
o1, o2, o3 = (tf.keras.optimizers.Adam(1e-3) for _ in range(3))
x = tf.random.normal([16, 5])
for _ in range(2):
    with tf.GradientTape() as tape:
        ae = tf.reduce_mean(tf.square(dec(enc(x)) - x))
    vs = enc.trainable_variables + dec.trainable_variables
    o1.apply_gradients(zip(tape.gradient(ae, vs), vs))
    with tf.GradientTape() as tape:
        real, fake = disc(tf.random.normal([16, 2])), disc(enc(x))
        dl = bce(tf.ones_like(real), real) + bce(tf.zeros_like(fake), fake)
    o2.apply_gradients(zip(tape.gradient(dl, disc.trainable_variables), disc.trainable_variables))
    with tf.GradientTape() as tape:
        fake = disc(enc(x))
        gl = bce(tf.ones_like(fake), fake)
    o3.apply_gradients(zip(tape.gradient(gl, enc.trainable_variables), enc.trainable_variables))
print(float(ae), float(dl), float(gl))

# %% gumbel_softmax_vae
import tensorflow as tf

tf.random.set_seed(17)
enc, dec = tf.keras.layers.Dense(6), tf.keras.layers.Dense(8)
x = tf.cast(tf.random.uniform([14, 8]) > 0.5, tf.float32)
opt = tf.keras.optimizers.Adam(1e-2)
tau = 1.0
for step in range(3):
    with tf.GradientTape() as tape:
        logits = tf.reshape(enc(x), [-1, 2, 3])
        u = tf.random.uniform(logits.shape, 1e-6, 1 - 1e-6)
        y = tf.nn.softmax((logits - tf.math.log(-tf.math.log(u))) / tau)
        rec = dec(tf.reshape(y, [-1, 6]))
        nll = tf.reduce_mean(tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=rec), 1))
        q = tf.nn.softmax(logits)
        kl = tf.reduce_mean(tf.reduce_sum(q * (tf.math.log(q + 1e-9) + tf.math.log(3.0)), [1, 2]))
        loss = nll + kl
    vs = [*enc.trainable_variables, *dec.trainable_variables]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    tau *= 0.9
print(loss.numpy())

# %% gumbel_hard_sample_st
import tensorflow as tf

tf.random.set_seed(18)
logits = tf.Variable([0.5, 0.1, -0.3])
values = tf.constant([1.0, 2.0, 4.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        g = -tf.math.log(-tf.math.log(tf.random.uniform([64, 3], 1e-5, 1.0 - 1e-5)))
        soft = tf.nn.softmax((logits + g) / 0.5)
        hard = tf.one_hot(tf.argmax(soft, axis=-1), 3)
        y = tf.stop_gradient(hard - soft) + soft
        cost = tf.reduce_mean(tf.linalg.matvec(y, values))
    logits.assign_sub(tape.gradient(cost, logits))
print(logits.numpy())

# %% pixelcnn_masked_conv
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(19)


class PixelConvLayer(keras.layers.Layer):
    def __init__(self, mask_type, **kwargs):
        super().__init__()
        self.mask_type = mask_type
        self.conv = keras.layers.Conv2D(**kwargs)

    def build(self, input_shape):
        self.conv.build(input_shape)
        kernel_shape = tuple(self.conv.kernel.shape)
        mask = np.zeros(shape=kernel_shape, dtype="float32")
        mask[: kernel_shape[0] // 2, ...] = 1.0
        mask[kernel_shape[0] // 2, : kernel_shape[1] // 2, ...] = 1.0
        if self.mask_type == "B":
            mask[kernel_shape[0] // 2, kernel_shape[1] // 2, ...] = 1.0
        self.mask = tf.constant(mask)
        self.built = True

    def call(self, inputs):
        self.conv.kernel.assign(self.conv.kernel * self.mask)
        return self.conv(inputs)


a = PixelConvLayer("A", filters=4, kernel_size=3, activation="relu", padding="same")
b = PixelConvLayer("B", filters=4, kernel_size=1, activation="relu", padding="same")
out = keras.layers.Conv2D(1, 1, activation="sigmoid")
x = tf.cast(tf.random.uniform((4, 6, 6, 1)) > 0.5, tf.float32)
opt = keras.optimizers.Adam(5e-4)
for _ in range(2):
    with tf.GradientTape() as tape:
        p = out(b(a(x)))
        loss = tf.reduce_mean(keras.losses.binary_crossentropy(x, p))
    vs = a.trainable_weights + b.trainable_weights + out.trainable_weights
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% info_gan_auxiliary
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(20)
G = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(4)])
trunk = tf.keras.layers.Dense(12, tf.nn.leaky_relu)
d_head, q_head = tf.keras.layers.Dense(1), tf.keras.layers.Dense(3)
og, od = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    c = np.random.randint(0, 3, 10)
    z = tf.concat([tf.random.normal([10, 3]), tf.one_hot(c, 3)], 1)
    real = tf.random.normal([10, 4])
    with tf.GradientTape(persistent=True) as tape:
        fake = G(z)
        f = trunk(fake)
        sf, sr = d_head(f), d_head(trunk(real))
        d_loss = tf.reduce_mean(tf.nn.softplus(-sr) + tf.nn.softplus(sf))
        info = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=c, logits=q_head(f)))
        g_loss = tf.reduce_mean(tf.nn.softplus(-sf)) + info
    dv = trunk.trainable_variables + d_head.trainable_variables
    gv = G.trainable_variables + q_head.trainable_variables
    gd, gg = tape.gradient(d_loss, dv), tape.gradient(g_loss, gv)
    od.apply_gradients(zip(gd, dv))
    og.apply_gradients(zip(gg, gv))
print(float(info))

# %% spectral_normalized_discriminator
import tensorflow as tf

tf.random.set_seed(21)
W = tf.Variable(tf.random.normal([4, 6]))
v_out = tf.Variable(tf.random.normal([6, 1]))
u = tf.Variable(tf.random.normal([1, 6]), trainable=False)
x = tf.random.normal([12, 4])
for _ in range(3):
    with tf.GradientTape() as tape:
        v = tf.stop_gradient(tf.math.l2_normalize(tf.matmul(u, W, transpose_b=True)))
        u_new = tf.stop_gradient(tf.math.l2_normalize(v @ W))
        sigma = tf.squeeze(v @ W @ tf.transpose(u_new))
        out = tf.nn.leaky_relu(x @ (W / sigma)) @ v_out
        hinge = tf.reduce_mean(tf.nn.relu(1.0 - out))
    u.assign(u_new)
    gw, gv = tape.gradient(hinge, [W, v_out])
    W.assign_sub(0.01 * gw)
    v_out.assign_sub(0.01 * gv)
print(hinge.numpy())

# %% adain_style_modulation
import tensorflow as tf

tf.keras.utils.set_random_seed(22)
content = tf.random.normal([2, 6, 6, 4])
style_fc = tf.keras.layers.Dense(8)
w = tf.random.normal([2, 5])
to_rgb = tf.keras.layers.Conv2D(3, 1)
goal = tf.random.uniform([2, 6, 6, 3])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        gamma, beta = tf.split(style_fc(w)[:, None, None, :], 2, axis=-1)
        mean, var = tf.nn.moments(content, axes=[1, 2], keepdims=True)
        normed = (content - mean) / tf.sqrt(var + 1e-5)
        rgb = to_rgb(normed * (1 + gamma) + beta)
        loss = tf.reduce_mean(tf.abs(rgb - goal))
    vs = style_fc.trainable_weights + to_rgb.trainable_weights
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())
