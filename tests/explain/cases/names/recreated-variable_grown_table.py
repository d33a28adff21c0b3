import numpy as np
import tensorflow as tf


class Vocabulary:
    def __init__(self, width):
        self.width = width
        self.words = {}
        self.table = tf.Variable(np.zeros((0, width), "float32"), name="table")
        self.weights = [self.table]

    def add(self, *words):
        rng = np.random.default_rng(len(self.words))
        rows = rng.normal(size=(len(words), self.width)).astype("float32")
        self.words.update({word: len(self.words) + i for i, word in enumerate(words)})
        self.table = tf.Variable(np.concatenate([self.table.numpy(), rows]), name="table")

    def __call__(self, *words):
        return tf.gather(self.table, [self.words[word] for word in words])


vocabulary = Vocabulary(width=3)
vocabulary.add("sun", "moon")
vocabulary.add("star")
with tf.GradientTape() as tape:
    vectors = vocabulary("sun", "star")
    loss = -tf.reduce_sum(vectors[0] * vectors[1])
print(tape.gradient(loss, vocabulary.weights))
