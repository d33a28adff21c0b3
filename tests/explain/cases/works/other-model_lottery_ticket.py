"""The lottery ticket hypothesis: train, prune the smallest weights, go back to the first weights, train what is left."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(13)
rng = np.random.default_rng(13)


def build_network():
    return tf.keras.Sequential(
        [
            tf.keras.Input((6,)),
            tf.keras.layers.Dense(10, activation="tanh"),
            tf.keras.layers.Dense(3),
        ]
    )


class Trainer:
    def __init__(self, rate=0.1):
        self.network = build_network()
        self.first_weights = self.network.get_weights()
        self.params = self.network.trainable_variables
        self.masks = [np.ones(w.shape, "float32") for w in self.first_weights]
        self.rate = rate
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def new_optimizer(self):
        self.optimizer = tf.keras.optimizers.SGD(self.rate)

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.network(x))
        grads = tape.gradient(loss, self.params)
        self.optimizer.apply_gradients(zip(grads, self.params))
        self.apply_masks()
        return loss

    def apply_masks(self):
        for weight, mask in zip(self.network.trainable_variables, self.masks):
            weight.assign(weight * mask)

    def prune(self, share):
        """Remove the given share of the kernels' weights, the smallest first."""
        for i, weight in enumerate(self.network.get_weights()):
            if weight.ndim == 2:
                limit = np.quantile(np.abs(weight), share)
                self.masks[i] = (np.abs(weight) > limit).astype("float32")

    def rewind(self):
        """Start again from the same weights, without those that were pruned."""
        self.network = build_network()
        self.network.set_weights([w * m for w, m in zip(self.first_weights, self.masks)])


x = rng.normal(size=(30, 6)).astype("float32")
y = np.argmax(x[:, :3], axis=1)
trainer = Trainer()

for number, share in enumerate([0.2, 0.5]):
    trainer.new_optimizer()
    for epoch in range(3):
        loss = trainer.step(x, y)
    alive = sum(int(m.sum()) for m in trainer.masks)
    print(f"round {number}: loss {float(loss):.4f}, {alive} weights")
    trainer.prune(share)
    trainer.rewind()
