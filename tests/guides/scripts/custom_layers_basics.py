"""Layers of one's own: build, call, composed blocks, losses added, regularizers."""

import numpy as np
import tensorflow as tf

layer = tf.keras.layers.Dense(10)
layer(tf.zeros([10, 5]))
print([v.shape for v in layer.variables], layer.kernel.shape, layer.bias.shape)


class MyDenseLayer(tf.keras.layers.Layer):
    def __init__(self, num_outputs):
        super().__init__()
        self.num_outputs = num_outputs

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=[int(input_shape[-1]), self.num_outputs])

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)


layer = MyDenseLayer(10)
print(layer(tf.zeros([10, 5])).shape)
print([var.name for var in layer.trainable_variables])


class ResidualBlock(tf.keras.Model):
    def __init__(self, kernel_size, filters):
        super().__init__(name="")
        filters1, filters2, filters3 = filters
        self.conv2a = tf.keras.layers.Conv2D(filters1, (1, 1), kernel_initializer="ones")
        self.bn2a = tf.keras.layers.BatchNormalization()
        self.conv2b = tf.keras.layers.Conv2D(filters2, kernel_size, padding="same", kernel_initializer="ones")
        self.bn2b = tf.keras.layers.BatchNormalization()
        self.conv2c = tf.keras.layers.Conv2D(filters3, (1, 1), kernel_initializer="ones")
        self.bn2c = tf.keras.layers.BatchNormalization()

    def call(self, input_tensor, training=False):
        x = self.conv2a(input_tensor)
        x = self.bn2a(x, training=training)
        x = tf.nn.relu(x)
        x = self.conv2b(x)
        x = self.bn2b(x, training=training)
        x = tf.nn.relu(x)
        x = self.conv2c(x)
        x = self.bn2c(x, training=training)
        x += input_tensor
        return tf.nn.relu(x)


block = ResidualBlock(1, [1, 2, 3])
image = tf.reshape(tf.range(18, dtype=tf.float32), [1, 2, 3, 3]) / 10
print(block(image))
print(len(block.layers), len(block.variables), len(block.trainable_variables))
with tf.GradientTape() as tape:
    out = tf.reduce_sum(block(image, training=True) ** 2)
grads = tape.gradient(out, block.trainable_variables)
print(float(out), [g.shape for g in grads], [round(float(tf.norm(g)), 2) for g in grads[1::2]])
print(block.bn2a.moving_mean.numpy(), block.bn2a.moving_variance.numpy())


class ActivityRegularization(tf.keras.layers.Layer):
    def __init__(self, rate=1e-2):
        super().__init__()
        self.rate = rate

    def call(self, inputs):
        self.add_loss(self.rate * tf.reduce_mean(inputs))
        return inputs


class Outer(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(
            4, kernel_regularizer=tf.keras.regularizers.l2(1e-3), kernel_initializer="ones"
        )
        self.activity = ActivityRegularization(1e-2)

    def call(self, inputs):
        return self.activity(self.dense(inputs))


outer = Outer()
print(len(outer.losses))
with tf.GradientTape() as tape:
    y = outer(tf.ones([2, 3]))
    total = tf.reduce_mean(y) + sum(outer.losses)
print(len(outer.losses), [float(v) for v in outer.losses])
print(tape.gradient(total, outer.trainable_weights))
