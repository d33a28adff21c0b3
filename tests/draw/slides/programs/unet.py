import numpy as np

import minitape as tf

tf.keras.utils.set_random_seed(1)
layers = tf.keras.layers


def conv_block(x, filters, name):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"{name}_a")(x)
    return layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"{name}_b")(x)


inputs = tf.keras.Input((32, 32, 1))
d1 = conv_block(inputs, 4, "down1")
d2 = conv_block(layers.MaxPool2D()(d1), 8, "down2")
bottom = conv_block(layers.MaxPool2D()(d2), 16, "bottom")
u2 = layers.Concatenate()([layers.UpSampling2D()(bottom), d2])
u2 = conv_block(u2, 8, "up2")
u1 = layers.Concatenate()([layers.UpSampling2D()(u2), d1])
u1 = conv_block(u1, 4, "up1")
outputs = layers.Conv2D(1, 1, name="mask")(u1)
unet = tf.keras.Model(inputs, outputs)

x = np.random.rand(2, 32, 32, 1).astype("float32")
y = (x > 0.5).astype("float32")
with tf.GradientTape() as tape:
    logits = unet(x)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
grads = tape.gradient(loss, unet.trainable_variables)
