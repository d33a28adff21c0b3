from dataclasses import dataclass

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(160)


@dataclass
class Distillation:
    hard: float = 0.3
    soft: float = 0.7
    temperature: float = 3.0
    learn_temperature: bool = False
    rate: float = 0.02


class Tracker:
    """Gathers the terms of a loss and remembers their history."""

    def __init__(self, weights):
        self.weights = weights
        self.terms = {}
        self.history = []

    def log(self, **terms):
        self.terms.update(terms)
        return self

    def close(self):
        total = tf.add_n([self.weights[k] * term for k, term in self.terms.items()])
        self.history.append({k: float(term) for k, term in self.terms.items()})
        self.terms = {}
        return total


class Distiller:
    def __init__(self, teacher, student, config):
        self.teacher = teacher
        self.student = student
        self.tracker = Tracker({"hard": config.hard, "soft": config.soft})
        self.temperature = tf.Variable(
            config.temperature, trainable=config.learn_temperature, name="temperature"
        )
        self.optimizer = tf.keras.optimizers.SGD(config.rate)

    def soft_loss(self, x, logits):
        aims = tf.nn.softmax(tf.stop_gradient(self.teacher(x)) / self.temperature)
        said = tf.nn.log_softmax(logits / self.temperature)
        return -tf.reduce_mean(tf.reduce_sum(aims * said, axis=-1)) * self.temperature**2

    def train_step(self, x, y):
        variables = self.student.trainable_variables
        with tf.GradientTape() as tape:
            logits = self.student(x, training=True)
            hard = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            self.tracker.log(hard=tf.reduce_mean(hard), soft=self.soft_loss(x, logits))
        loss = self.tracker.close()
        grads = tape.gradient(loss, variables)
        for variable, grad in zip(variables, grads):
            if grad is not None:
                self.optimizer.apply_gradients([(grad, variable)])

    def tune_temperature(self, x):
        with tf.GradientTape() as tape:
            loss = self.soft_loss(x, self.student(x))
        return tape.gradient(loss, [self.temperature])


def mlp(*units):
    hidden = [layers.Dense(u, activation="relu") for u in units]
    return tf.keras.Sequential([tf.keras.Input((6,)), *hidden, layers.Dense(3)])


rng = np.random.default_rng(160)
x = rng.normal(size=(48, 6)).astype("float32")
y = np.argmax(x[:, :3], axis=1).astype("int32")
distiller = Distiller(mlp(16, 16), mlp(), Distillation())

for epoch in range(2):
    for rows in np.split(rng.permutation(48), 3):
        distiller.train_step(x[rows], y[rows])
    print(distiller.tracker.history[-1], distiller.tune_temperature(x))
