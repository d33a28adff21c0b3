import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(33)

TASKS = {
    "price": {"kind": "regression", "weight": 1.0},
    "rooms": {"kind": "regression", "weight": 0.5},
    "sold": {"kind": "classification", "weight": 2.0},
}


class Multitask(tf.keras.Model):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = layers.Dense(10, activation="elu")
        self.heads = {name: layers.Dense(1, name=name) for name in tasks}

    def call(self, x):
        h = self.trunk(x)
        return {name: head(h)[:, 0] for name, head in self.heads.items()}


def regression(y, p):
    return tf.reduce_mean(tf.keras.losses.huber(y[:, None], p[:, None]))


def classification(y, p):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, p))


CRITERIA = {"regression": regression, "classification": classification}


class LossBook:
    def __init__(self, tasks):
        self.tasks = tasks
        self.current = {}

    def add(self, name, value):
        self.current[self.tasks[name]["kind"]] = self.tasks[name]["weight"] * value

    def total(self):
        return tf.add_n(list(self.current.values()))


def houses(count):
    rng = np.random.default_rng(6)
    x = rng.normal(size=(count, 5)).astype("float32")
    return x, {
        "price": x[:, 0] * 2.0 + x[:, 1],
        "rooms": x[:, 2] - 0.3 * x[:, 3],
        "sold": (x[:, 4] > 0).astype("float32"),
    }


x, labels = houses(64)
dataset = tf.data.Dataset.from_tensor_slices((x, labels)).batch(16)
model = Multitask(TASKS)
model(x[:1])
optimizer = tf.keras.optimizers.Nadam(0.01)
shared = model.trunk.trainable_variables
private = [v for name in sorted(TASKS) for v in model.heads[name].trainable_variables]

for epoch in range(2):
    for rows, truth in dataset:
        book = LossBook(TASKS)
        with tf.GradientTape() as tape:
            outputs = model(rows, training=True)
            for name in TASKS:
                criterion = CRITERIA[TASKS[name]["kind"]]
                book.add(name, criterion(truth[name], outputs[name]))
            loss = book.total()
        grads = tape.gradient(loss, [*shared, *private])
        optimizer.apply_gradients(zip(grads, [*shared, *private]))
    print(epoch, {k: round(float(v), 3) for k, v in book.current.items()})


def conflict(first, second):
    """Cosine between the slopes that two tasks want for the trunk."""
    slopes = []
    for name in (first, second):
        with tf.GradientTape() as tape:
            value = CRITERIA[TASKS[name]["kind"]](labels[name], model(x)[name])
        slopes.append(tape.gradient(value, model.trunk))
    a, b = (tf.reshape(s[0], [-1]) for s in slopes)
    return float(tf.reduce_sum(a * b) / (tf.norm(a) * tf.norm(b)))


print("conflict of price and rooms", conflict("price", "rooms"))
