import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(23)


def conv(filters):
    return layers.Conv2D(filters, 3, padding="same", activation="elu")


class UNet(tf.keras.Model):
    def __init__(self, widths=(4, 6), bottom=8):
        super().__init__()
        self.down = [conv(w) for w in widths]
        self.pool = layers.MaxPooling2D()
        self.bridge = conv(bottom)
        self.grow = [layers.Conv2DTranspose(w, 2, strides=2) for w in reversed(widths)]
        self.merge = layers.Concatenate()
        self.up = [conv(w) for w in reversed(widths)]
        self.mask = layers.Conv2D(1, 1)

    def call(self, image):
        skips = []
        x = image
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = self.pool(x)
        x = self.bridge(x)
        for grow, block, skip in zip(self.grow, self.up, reversed(skips)):
            x = self.merge([grow(x), skip])
            x = block(skip)
        return self.mask(x)


def dice_loss(y, logits, smooth=1.0):
    p = tf.sigmoid(logits)
    overlap = tf.reduce_sum(p * y, axis=(1, 2, 3))
    total = tf.reduce_sum(p, axis=(1, 2, 3)) + tf.reduce_sum(y, axis=(1, 2, 3))
    return 1.0 - tf.reduce_mean((2.0 * overlap + smooth) / (total + smooth))


def cells(count, size=8):
    rng = np.random.default_rng(2)
    grid = np.stack(np.meshgrid(np.arange(size), np.arange(size), indexing="ij"), -1)
    centres = rng.uniform(2, size - 2, (count, 1, 1, 2))
    masks = (np.linalg.norm(grid - centres, axis=-1) < 2.5)[..., None].astype("float32")
    return masks + rng.normal(0.0, 0.2, masks.shape).astype("float32"), masks


images, masks = cells(12)
dataset = tf.data.Dataset.from_tensor_slices((images, masks)).batch(6)
model = UNet()
model(images[:1])
encoder = [v for block in model.down for v in block.trainable_variables]
bridge = model.bridge.trainable_variables
grow = model.grow[1].trainable_variables
outer = model.up[1].trainable_variables
optimizer = tf.keras.optimizers.Adam(1e-3)

for epoch in range(2):
    for image, mask in dataset:
        with tf.GradientTape() as tape:
            loss = dice_loss(mask, model(image, training=True))
        variables = [*encoder, *bridge, *grow, *outer]
        grads = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(grads, variables))
    print(epoch, float(loss))
