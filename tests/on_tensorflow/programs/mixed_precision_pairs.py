"""Match pictures with captions in half precision: two towers, one learned temperature, scaled losses."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

SEED = 2
PIXELS, WORDS, SIZE = 20, 14, 8


def make_pairs(count):
    """Pictures and captions that tell of the same hidden subject."""
    rng = np.random.default_rng(SEED)
    subject = rng.normal(size=(count, 5))
    pictures = subject @ rng.normal(size=(5, PIXELS)) + 0.1 * rng.normal(size=(count, PIXELS))
    captions = subject @ rng.normal(size=(5, WORDS)) + 0.1 * rng.normal(size=(count, WORDS))
    return pictures.astype("float32"), captions.astype("float32")


def make_tower(name, width):
    return keras.Sequential(
        [
            keras.Input((width,)),
            keras.layers.Dense(16, activation="tanh", name=f"{name}_hidden"),
            keras.layers.Dense(SIZE, name=f"{name}_out"),
        ],
        name=name,
    )


class Matcher:
    """Every picture against every caption: the right ones lie on the diagonal."""

    def __init__(self):
        self.pictures = make_tower("pictures", PIXELS)
        self.captions = make_tower("captions", WORDS)
        self.log_scale = tf.Variable(np.log(5.0), dtype=tf.float32, name="log_scale")

    @property
    def variables(self):
        towers = self.pictures.trainable_variables + self.captions.trainable_variables
        return towers + [self.log_scale]

    def logits(self, pictures, captions):
        a = tf.math.l2_normalize(self.pictures(pictures), axis=1)
        b = tf.math.l2_normalize(self.captions(captions), axis=1)
        alike = tf.matmul(a, b, transpose_b=True)
        # alike is float16 and log_scale float32: they cannot be multiplied as they are
        scale = float(tf.exp(self.log_scale))
        return tf.cast(alike * scale, tf.float32)


def contrastive_loss(logits):
    right = tf.range(tf.shape(logits)[0])
    by_row = tf.nn.sparse_softmax_cross_entropy_with_logits(right, logits)
    by_column = tf.nn.sparse_softmax_cross_entropy_with_logits(right, tf.transpose(logits))
    return tf.reduce_mean(by_row + by_column) / 2.0


def train_step(matcher, optimizer, pictures, captions):
    with tf.GradientTape() as tape:
        logits = matcher.logits(pictures, captions)
        loss = contrastive_loss(logits)
        scaled = optimizer.scale_loss(loss)
    gradients = tape.gradient(scaled, matcher.variables)
    pairs = zip(gradients, matcher.variables)
    optimizer.apply_gradients([(g, v) for g, v in pairs if g is not None])
    found = np.mean(np.argmax(logits, axis=1) == np.arange(len(logits)))
    return float(loss), found, gradients


def main():
    keras.utils.set_random_seed(SEED)
    keras.mixed_precision.set_global_policy("mixed_float16")
    pictures, captions = make_pairs(24)
    matcher = Matcher()
    print("the towers compute in", matcher.pictures.layers[0].compute_dtype)

    inner = keras.optimizers.Adam(0.01)
    optimizer = keras.mixed_precision.LossScaleOptimizer(inner, initial_scale=256.0)
    for step in range(6):
        loss, found, gradients = train_step(matcher, optimizer, pictures, captions)
        print(f"step {step}: loss {loss:.2f}, found {found:.1f}")

    for variable, gradient in zip(matcher.variables, gradients):
        name = getattr(variable, "path", variable.name)
        print(f"{name:28} {'no gradient' if gradient is None else gradient.dtype.name}")
    print(f"the scale is {np.exp(matcher.log_scale.numpy()):.1f}")


if __name__ == "__main__":
    main()
