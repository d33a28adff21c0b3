"""A block of attention: masks, positions, layer norm, a warm-up schedule."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(21)


def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions / (10000**depths)
    return tf.cast(np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1), dtype=tf.float32)


def scaled_dot_product_attention(q, k, v, mask):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        logits += mask * -1e9
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, v), weights


class Attention(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_model, self.depth = num_heads, d_model, d_model // num_heads
        self.wq, self.wk, self.wv, self.dense = [tf.keras.layers.Dense(d_model) for _ in range(4)]
        self.norm = tf.keras.layers.LayerNormalization(epsilon=1e-6)

    def split_heads(self, x, batch_size):
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, x, mask=None):
        batch_size = tf.shape(x)[0]
        q, k, v = [self.split_heads(w(x), batch_size) for w in (self.wq, self.wk, self.wv)]
        attended, weights = scaled_dot_product_attention(q, k, v, mask)
        attended = tf.transpose(attended, perm=[0, 2, 1, 3])
        joined = tf.reshape(attended, (batch_size, -1, self.d_model))
        return self.norm(x + self.dense(joined)), weights


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4):
        super().__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(
            tf.math.rsqrt(step + 1), (step + 1) * (self.warmup_steps**-1.5))


layer = Attention(4, 2)
x = tf.constant(random.normal(size=(2, 3, 4)), tf.float32) + positional_encoding(3, 4)
mask = 1 - tf.linalg.band_part(tf.ones((3, 3)), -1, 0)
layer(x)
layer.set_weights([random.normal(size=w.shape).astype("float32") * 0.5 for w in layer.get_weights()])
optimizer = tf.keras.optimizers.Adam(CustomSchedule(4), beta_1=0.9, beta_2=0.98, epsilon=1e-9)
for step in range(3):
    with tf.GradientTape() as tape:
        y, weights = layer(x, mask=mask)
        loss = tf.reduce_mean(tf.square(y - tf.roll(x, -1, axis=1)))
    grads = tape.gradient(loss, layer.trainable_variables)
    optimizer.apply_gradients(zip(grads, layer.trainable_variables))
    print(step, float(loss), f"{float(optimizer.learning_rate):.5f}")
print(weights[0, 0])
print(y[1])
