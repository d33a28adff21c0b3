import numpy as np

import minitape as tf

tf.keras.utils.set_random_seed(1)
words = np.random.randint(0, 50, (8, 20))
labels = np.random.randint(0, 2, (8, 1)).astype("float32")


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(50, 8)
        self.lstm = tf.keras.layers.LSTM(16)
        self.out = tf.keras.layers.Dense(1)

    def call(self, tokens):
        return self.out(self.lstm(self.embed(tokens)))


model = Classifier()
with tf.GradientTape() as tape:
    logits = model(words)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))
gradients = tape.gradient(loss, model.trainable_variables)
