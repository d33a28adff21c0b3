"""Several tasks on one trunk; heads and losses are made in loops and kept in dictionaries."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(67)
rng = np.random.default_rng(67)

TASKS = {"age": 1, "income": 1, "city": 4}


class Registry(dict):
    """Weights by name; each is made when it is asked for the first time."""

    def weight(self, name, shape):
        start = tf.random.normal(shape, stddev=0.3)
        return self.setdefault(name, tf.Variable(start, name=name))


class MultiTask:
    def __init__(self, features, width):
        self.registry = Registry()
        self.width = width
        self.features = features
        self.trunk()
        self.heads = {}
        for task, size in TASKS.items():
            self.heads[task] = lambda h, task=task, size=size: self.head(h, task, size)

    def trunk(self):
        return self.registry.weight("trunk", [self.features, self.width])

    def head(self, hidden, task, size):
        kernel = self.registry.weight(f"{task}/kernel", [self.width, size])
        bias = self.registry.weight(f"{task}/bias", [size])
        return tf.matmul(hidden, kernel) + bias

    def __call__(self, x):
        hidden = tf.nn.tanh(tf.matmul(x, self.trunk()))
        return {task: head(hidden) for task, head in self.heads.items()}

    @property
    def weights(self):
        return [self.registry[name] for name in sorted(self.registry)]


def people(count):
    x = rng.normal(size=(count, 6)).astype("float32")
    return x, {
        "age": x[:, :1] * 2.0,
        "income": np.abs(x[:, 1:2]),
        "city": np.argmax(x[:, 2:], axis=1),
    }


def losses(outputs, labels):
    terms = {}
    for task, size in TASKS.items():
        if size == 1:
            terms[task] = tf.reduce_mean((outputs[task] - labels[task]) ** 2)
        else:
            entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels[task], outputs[task])
            terms[task] = tf.reduce_mean(entropy)
    return terms


x, labels = people(24)
model = MultiTask(6, 8)
optimizer = tf.keras.optimizers.Adam(0.01)

for epoch in range(3):
    with tf.GradientTape(persistent=True) as tape:
        terms = losses(model(x), labels)
        total = sum(terms.values())
    weights = model.weights
    shared = {task: tape.gradient(term, model.trunk()) for task, term in terms.items()}
    grads = tape.gradient(total, weights)
    del tape
    optimizer.apply_gradients(zip(grads, weights))
    worst = max(terms, key=lambda task: float(terms[task]))
    norms = {task: round(float(tf.norm(g)), 3) for task, g in shared.items()}
    print(epoch, float(total), "worst:", worst, norms)
