import numpy as np
import tensorflow as tf

from lora_parts.adapters import AdaptedDense, collect
from lora_parts.pretrained import Backbone

tf.random.set_seed(170)
rng = np.random.default_rng(170)


class Head(tf.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.bias = tf.Variable(tf.zeros(classes), name="head_bias")
        self.kernel = tf.Variable(tf.random.normal((width, classes), stddev=0.3), name="head_kernel")

    def __call__(self, h):
        return h @ self.kernel + self.bias


class FineTuner:
    def __init__(self, backbone, rank, classes):
        self.layers = [AdaptedDense(k, b, rank) for k, b in backbone.frozen()]
        self.head = Head(backbone.width, classes)
        self.adapter_optimizer = tf.keras.optimizers.Adam(1e-2)
        self.head_optimizer = tf.keras.optimizers.Adam(1e-3)

    def logits(self, x):
        for layer in self.layers:
            x = tf.nn.tanh(layer(x))
        return self.head(x)

    def loss(self, x, y):
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=self.logits(x))
        )

    def step(self, x, y):
        adapters = collect(self.layers)
        with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
            tape.watch(adapters)
            loss = self.loss(x, y)
        adapter_grads = tape.gradient(loss, adapters)
        head_grads = tape.gradient(loss, self.head.trainable_variables)
        self.adapter_optimizer.apply_gradients(zip(adapter_grads, adapters))
        if all(g is not None for g in head_grads):
            self.head_optimizer.apply_gradients(zip(head_grads, self.head.trainable_variables))
        return float(loss)


x = rng.normal(size=(40, 6)).astype("float32")
y = (np.abs(x[:, 0]) > np.abs(x[:, 1])).astype("int32")
tuner = FineTuner(Backbone(6, 10), rank=2, classes=2)
for epoch in range(3):
    print(epoch, tuner.step(x, y))
