import numpy as np

import minitape as tf

tf.keras.utils.set_random_seed(0)
X = tf.constant(np.random.normal(size=(8, 12, 12, 1)).astype("float32"))
y = tf.constant([0, 1, 2, 0, 1, 2, 0, 1])


class CNN(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(8, 3, activation="relu", padding="same")
        self.norm1 = tf.keras.layers.BatchNormalization()
        self.pool1 = tf.keras.layers.MaxPooling2D()
        self.conv2 = tf.keras.layers.Conv2D(16, 3, activation="relu", padding="same")
        self.norm2 = tf.keras.layers.BatchNormalization()
        self.pool2 = tf.keras.layers.MaxPooling2D()
        self.flatten = tf.keras.layers.Flatten()
        self.drop = tf.keras.layers.Dropout(0.3)
        self.hidden = tf.keras.layers.Dense(16, activation="relu")
        self.out = tf.keras.layers.Dense(3)

    def call(self, x, training=False):
        x = self.pool1(self.norm1(self.conv1(x), training=training))
        x = self.pool2(self.norm2(self.conv2(x), training=training))
        x = self.drop(self.flatten(x), training=training)
        return self.out(self.hidden(x))


model = CNN()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
with tf.GradientTape() as tape:
    logits = model(X, training=True)
    loss = loss_fn(y, logits)
grads = tape.gradient(loss, model.trainable_variables)
