import numpy as np

import minitape as tf

rng = np.random.default_rng(0)


def weight(*shape, name):
    return tf.Variable(rng.normal(0, 0.3, shape).astype("float32"), name=name)


x = tf.constant(rng.normal(size=(2, 6, 8)).astype("float32"))
Wq, Wk, Wv, Wo = (weight(8, 8, name=n) for n in ("Wq", "Wk", "Wv", "Wo"))
gamma1, gamma2 = tf.Variable(tf.ones(8), name="gamma1"), tf.Variable(tf.ones(8), name="gamma2")
W1, W2 = weight(8, 32, name="W1"), weight(32, 8, name="W2")
mask = tf.linalg.band_part(tf.ones((6, 6)), -1, 0)


def layer_norm(h, gamma):
    mean = tf.reduce_mean(h, axis=-1, keepdims=True)
    d = h - mean
    var = tf.reduce_mean(d**2, axis=-1, keepdims=True)
    return gamma * d / tf.sqrt(var + 1e-5)


def head(q, k, v):
    scores = tf.matmul(q, k, transpose_b=True) / 2.0
    scores = tf.where(mask > 0, scores, -1e9)
    return tf.nn.softmax(scores) @ v


def attention(h):
    q, k, v = h @ Wq, h @ Wk, h @ Wv
    heads = [head(*parts) for parts in zip(*(tf.split(t, 2, axis=-1) for t in (q, k, v)))]
    return tf.concat(heads, axis=-1) @ Wo


def mlp(h):
    return tf.nn.gelu(h @ W1) @ W2


def block(x):
    x = x + attention(layer_norm(x, gamma1))
    return x + mlp(layer_norm(x, gamma2))


with tf.GradientTape() as tape:
    y = block(x)
    loss = tf.reduce_mean(y**2)
variables = [Wq, Wk, Wv, Wo, gamma1, gamma2, W1, W2]
gradients = tape.gradient(loss, variables)
