import numpy as np
import tensorflow as tf


class Memory:
    def __init__(self, slots):
        self.cells = np.zeros((slots, 2), dtype=np.float32)

    def write(self, slot, value):
        self.cells[slot] += value.numpy()

    def read(self):
        return tf.convert_to_tensor(self.cells)


key = tf.Variable([0.3, -0.8])
memory = Memory(2)
with tf.GradientTape() as tape:
    for slot in range(2):
        memory.write(slot, tf.tanh(key * (slot + 1.0)))
    recalled = tf.reduce_sum(memory.read() ** 2)

print("recalled:", recalled.numpy(), "grad:", tape.gradient(recalled, key))
