"""A tiny neural Turing machine on the copy task: a controller that writes to and reads from an external memory."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(11)
rng = np.random.default_rng(11)

SLOTS, WIDTH, BITS, LENGTH = 6, 5, 3, 4


class Memory:
    """Slots of a fixed width, written by attention."""

    def __init__(self, slots, width):
        self.cells = tf.Variable(tf.zeros([slots, width]), trainable=False)

    def clear(self):
        start = np.random.default_rng(0).normal(0.0, 0.1, self.cells.shape)
        self.cells.assign(start.astype("float32"))

    def address(self, key):
        return tf.nn.softmax(tf.linalg.matvec(self.cells, key))

    def write(self, weights, erase, add):
        column = weights[:, tf.newaxis]
        kept = self.cells * (1.0 - column * erase)
        self.cells.assign(kept + column * add)

    def read(self, weights):
        return tf.linalg.matvec(self.cells, weights, transpose_a=True)


class TuringMachine:
    def __init__(self):
        self.memory = Memory(SLOTS, WIDTH)
        self.controller = tf.keras.layers.Dense(12, activation="tanh")
        self.write_head = tf.keras.layers.Dense(3 * WIDTH)
        self.read_head = tf.keras.layers.Dense(WIDTH)
        self.output = tf.keras.layers.Dense(BITS)
        self.controller.build((None, BITS + 1))
        for layer in (self.write_head, self.read_head):
            layer.build((None, 12))
        self.output.build((None, WIDTH))

    @property
    def trainable_variables(self):
        layers = (self.controller, self.write_head, self.read_head, self.output)
        return [v for layer in layers for v in layer.trainable_variables]

    def listen(self, symbol):
        hidden = self.controller(tf.concat([symbol, [[0.0]]], axis=1))
        key, erase, add = tf.split(self.write_head(hidden)[0], 3)
        self.memory.write(self.memory.address(key), tf.sigmoid(erase), tf.tanh(add))

    def speak(self, previous):
        hidden = self.controller(tf.concat([previous, [[1.0]]], axis=1))
        key = self.read_head(hidden)[0]
        found = self.memory.read(self.memory.address(key))
        return self.output(found[tf.newaxis])

    def copy(self, sequence):
        self.memory.clear()
        for symbol in sequence:
            self.listen(symbol[tf.newaxis])
        spoken, previous = [], tf.zeros([1, BITS])
        for _ in sequence:
            logits = self.speak(previous)
            spoken.append(logits)
            previous = tf.sigmoid(logits)
        return tf.concat(spoken, axis=0)


machine = TuringMachine()
optimizer = tf.keras.optimizers.Adam(0.01)

for episode in range(3):
    sequence = tf.constant(rng.integers(0, 2, size=(LENGTH, BITS)), dtype=tf.float32)
    with tf.GradientTape() as tape:
        logits = machine.copy(sequence)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(sequence, logits))
    variables = machine.trainable_variables
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    print(f"episode {episode}: {float(loss):.4f}")
