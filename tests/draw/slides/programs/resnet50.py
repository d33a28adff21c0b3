import numpy as np

import minitape as tf

tf.keras.utils.set_random_seed(1)
layers = tf.keras.layers


class Bottleneck(layers.Layer):
    def __init__(self, filters, stride=1, project=False, **kwargs):
        super().__init__(**kwargs)
        self.a = layers.Conv2D(filters, 1, stride, use_bias=False)
        self.b = layers.Conv2D(filters, 3, padding="same", use_bias=False)
        self.c = layers.Conv2D(4 * filters, 1, use_bias=False)
        self.bn = [layers.BatchNormalization() for _ in range(3)]
        self.project = layers.Conv2D(4 * filters, 1, stride, use_bias=False) if project else None

    def call(self, x, training=False):
        y = tf.nn.relu(self.bn[0](self.a(x), training=training))
        y = tf.nn.relu(self.bn[1](self.b(y), training=training))
        y = self.bn[2](self.c(y), training=training)
        return tf.nn.relu(y + (x if self.project is None else self.project(x)))


class ResNet50(tf.keras.Model):
    def __init__(self, classes=10, width=4):
        super().__init__()
        self.stem = layers.Conv2D(width, 3, padding="same", use_bias=False)
        self.blocks = [
            Bottleneck(width * 2**stage, 2 if stage and not i else 1, project=not i)
            for stage, count in enumerate((3, 4, 6, 3))
            for i in range(count)
        ]
        self.pool = layers.GlobalAveragePooling2D()
        self.head = layers.Dense(classes)

    def call(self, x, training=False):
        x = tf.nn.relu(self.stem(x))
        for block in self.blocks:
            x = block(x, training=training)
        return self.head(self.pool(x))


model = ResNet50()
images = np.random.rand(4, 16, 16, 3).astype("float32")
labels = np.random.randint(0, 10, 4)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
with tf.GradientTape() as tape:
    loss = loss_fn(labels, model(images, training=True))
grads = tape.gradient(loss, model.trainable_variables)
