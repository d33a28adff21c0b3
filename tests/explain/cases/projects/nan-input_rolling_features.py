import numpy as np
import tensorflow as tf

from vibration_parts.features import FeatureTable
from vibration_parts.training import Trainer, make_model

tf.keras.utils.set_random_seed(120)


def machine(count):
    """Vibration of a bearing that wears out, and the hours it still has."""
    rng = np.random.default_rng(120)
    t = np.linspace(0.0, 1.0, count)
    vibration = rng.normal(0.0, 0.2 + t**2, count)
    remaining = 100.0 * (1.0 - t)
    remaining[rng.integers(10, count, 4)] = np.nan
    return vibration, remaining


vibration, remaining = machine(90)
table = FeatureTable(width=8).add_level().add_spread().add_peak()
x = table.compute(vibration)
y = (remaining / 100.0).astype("float32")

keep = np.isfinite(y)
x, y = x[keep], y[keep]
print(f"{len(y)} rows, {np.sum(~keep)} without a label left out")

dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = make_model(x.shape[1])
trainer = Trainer(model, tf.keras.optimizers.Adam(1e-2))

for epoch in range(2):
    for rows, hours in dataset:
        with tf.GradientTape() as tape:
            loss = trainer.loss(rows, hours)
        grads = tape.gradient(loss, model.trainable_variables)
        trainer.apply(grads)
    print(epoch, float(loss))
