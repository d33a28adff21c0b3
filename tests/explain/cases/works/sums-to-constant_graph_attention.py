"""Node classification with two graph attention layers on a small citation graph."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)

NODES, FEATURES, CLASSES = 10, 6, 3


class GraphAttention(tf.keras.layers.Layer):
    """Velickovic et al.: every node looks at its neighbours with learned attention, once for each head."""

    def __init__(self, units, heads=1, activation=None):
        super().__init__()
        self.units = units
        self.heads = heads
        self.activation = tf.keras.activations.get(activation)

    def build(self, shape):
        self.kernel = self.add_weight(
            shape=(shape[-1], self.units), initializer="glorot_uniform", name="kernel"
        )
        self.attend_from = self.add_weight(
            shape=(self.units, self.heads), initializer="glorot_uniform", name="attend_from"
        )
        self.attend_to = self.add_weight(
            shape=(self.units, self.heads), initializer="glorot_uniform", name="attend_to"
        )

    def call(self, nodes, adjacency):
        hidden = tf.matmul(nodes, self.kernel)
        score = tf.matmul(hidden, self.attend_from)[:, tf.newaxis] + tf.matmul(hidden, self.attend_to)
        score = tf.nn.leaky_relu(score)  # [node, neighbour, head]
        score -= 1e9 * (1.0 - adjacency[:, :, tf.newaxis])
        attention = tf.nn.softmax(score)
        attention = attention * adjacency[:, :, tf.newaxis]
        heads = tf.einsum("ijh,ju->ihu", attention, hidden)
        return self.activation(tf.reduce_mean(heads, axis=1))


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = GraphAttention(8, activation="tanh")
        self.second = GraphAttention(CLASSES)

    def call(self, nodes, adjacency):
        return self.second(self.first(nodes, adjacency), adjacency)


links = rng.uniform(size=(NODES, NODES)) < 0.3
adjacency = tf.constant(links | links.T | np.eye(NODES, dtype=bool), dtype=tf.float32)
nodes = tf.constant(rng.normal(size=(NODES, FEATURES)), dtype=tf.float32)
labels = rng.integers(0, CLASSES, size=NODES)
known = np.flatnonzero(np.arange(NODES) % 2 == 0)

model = Classifier()
optimizer = tf.keras.optimizers.Adam(0.01)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for epoch in range(4):
    with tf.GradientTape() as tape:
        logits = model(nodes, adjacency)
        loss = cross_entropy(labels[known], tf.gather(logits, known))
    first, second = model.first, model.second
    weights = [first.kernel, first.attend_from, first.attend_to]
    weights += [second.kernel, second.attend_from, second.attend_to]
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    right = np.mean(np.argmax(logits, axis=1) == labels)
    print(epoch, float(loss), right)
