import numpy as np
import tensorflow as tf

from byol_parts.losses import symmetric_regression
from byol_parts.networks import build_encoder, build_predictor, copy_weights, ema_update

tf.keras.utils.set_random_seed(8)
BATCH = 16

online = build_encoder()
target = build_encoder()
predictor = build_predictor()
copy_weights(online, target)
optimizer = tf.keras.optimizers.AdamW(1e-3, weight_decay=1e-4)


def jitter(x, rng):
    scale = rng.uniform(0.8, 1.2, (len(x), 1)).astype("float32")
    return x * scale + rng.normal(0.0, 0.05, x.shape).astype("float32")


def pipeline(samples):
    rng = np.random.default_rng(1)
    dataset = tf.data.Dataset.from_tensor_slices(samples).shuffle(64, seed=3)
    for rows in dataset.batch(BATCH, drop_remainder=True):
        rows = rows.numpy()
        yield jitter(rows, rng), jitter(rows, rng)


samples = np.random.default_rng(0).normal(size=(48, 12)).astype("float32")
variables = online.trainable_variables + predictor.trainable_variables
for epoch in range(2):
    losses = []
    for view_a, view_b in pipeline(samples):
        target_a = target(view_a)
        target_b = target(view_b)
        with tf.GradientTape() as tape:
            online_a = predictor(online(view_a))
            online_b = predictor(online(view_b))
            loss = symmetric_regression((target_b, target_a), (online_a, online_b))
        grads = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(grads, variables))
        ema_update(online, target, decay=0.99)
        losses.append(float(loss))
    print(epoch, np.mean(losses))
