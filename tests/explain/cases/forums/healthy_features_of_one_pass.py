import numpy as np
import tensorflow as tf

L = tf.keras.layers
conv = tf.keras.Sequential([L.Conv2D(8, 3, activation="relu"), L.Conv2D(4, 3, activation="relu")])
head = tf.keras.Sequential([L.GlobalAveragePooling2D(), L.Dense(5)])
x = np.random.RandomState(0).randn(1, 10, 10, 3).astype("float32")


def classify(img):
    return head(conv(img))


with tf.GradientTape() as tape:
    fmap = conv(x)
    logits = head(fmap)
    cls = int(tf.argmax(logits[0]))
    yc = logits[:, cls]
grads = tape.gradient(yc, fmap)
if grads is None:
    print("Grad-CAM: grads is None")
else:
    weights = tf.reduce_mean(grads, axis=(1, 2))
    cam = tf.nn.relu(tf.einsum("bhwc,bc->bhw", fmap, weights))
    print(cam.shape)
