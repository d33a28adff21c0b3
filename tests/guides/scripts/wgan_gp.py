"""Two players and a gradient penalty: a derivative of a derivative in every step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

random = np.random.default_rng(12)


def network(sizes):
    model = keras.Sequential([layers.Dense(n, activation="tanh" if n > 1 else None) for n in sizes[1:]])
    model.build((None, sizes[0]))
    model.set_weights([random.normal(size=w.shape).astype("float32") * 0.5 for w in model.get_weights()])
    return model


generator = network([2, 8, 3])
critic = network([3, 8, 1])
g_opt = keras.optimizers.Adam(learning_rate=0.01, beta_1=0.5, beta_2=0.9)
d_opt = keras.optimizers.Adam(learning_rate=0.01, beta_1=0.5, beta_2=0.9)


def normals(*shape):
    return tf.constant(random.normal(size=shape), tf.float32)


def gradient_penalty(real, fake):
    alpha = tf.constant(random.uniform(size=(len(real), 1)), tf.float32)
    interpolated = real + alpha * (fake - real)
    with tf.GradientTape() as gp_tape:
        gp_tape.watch(interpolated)
        pred = critic(interpolated, training=True)
    grads = gp_tape.gradient(pred, [interpolated])[0]
    norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=[1]))
    return tf.reduce_mean((norm - 1.0) ** 2)


for step in range(4):
    real = normals(16, 3) * 0.2 + 0.7
    for _ in range(2):
        noise = normals(16, 2)
        with tf.GradientTape() as tape:
            fake = generator(noise, training=True)
            cost = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
            gp = gradient_penalty(real, fake)
            d_loss = cost + gp * 10.0
        d_gradient = tape.gradient(d_loss, critic.trainable_variables)
        d_opt.apply_gradients(zip(d_gradient, critic.trainable_variables))
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(critic(generator(normals(16, 2), training=True)))
    gen_gradient = tape.gradient(g_loss, generator.trainable_variables)
    g_opt.apply_gradients(zip(gen_gradient, generator.trainable_variables))
    print({"d_loss": round(float(d_loss), 4), "gp": round(float(gp), 4), "g_loss": round(float(g_loss), 4)})
print([None if g is None else g.shape for g in d_gradient])
