"""Truncated backpropagation: a recurrent model that carries its state from one piece of the text to the next."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(89)
rng = np.random.default_rng(89)

TEXT = "the cat sat on the mat and the dog sat on the cat " * 3
LETTERS = sorted(set(TEXT))
BATCH, PIECE = 2, 8


class LanguageModel(tf.keras.Model):
    def __init__(self, letters, width=10):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(letters, 6)
        self.cell = tf.keras.layers.Dense(width, activation="tanh")
        self.out = tf.keras.layers.Dense(letters)
        self.carried = tf.Variable(tf.zeros([BATCH, width]), trainable=False, name="carried")

    def call(self, tokens):
        state = tf.convert_to_tensor(self.carried)
        logits = []
        for vector in tf.unstack(self.embed(tokens), axis=1):
            state = self.cell(tf.concat([vector, state], axis=1))
            logits.append(self.out(state))
        self.carried.assign(state)
        return tf.stack(logits, axis=1)


def pieces():
    ids = np.array([LETTERS.index(c) for c in TEXT], dtype="int32")
    ids = ids[: len(ids) // BATCH * BATCH].reshape(BATCH, -1)
    for start in range(0, ids.shape[1] - PIECE - 1, PIECE):
        yield ids[:, start : start + PIECE], ids[:, start + 1 : start + PIECE + 1]


model = LanguageModel(len(LETTERS))
optimizer = tf.keras.optimizers.Adam(1e-2)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
mean_loss = tf.keras.metrics.Mean()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

for epoch in range(1):
    model.carried.assign(tf.zeros_like(model.carried))
    mean_loss.reset_state()
    for number, (inputs, targets) in enumerate(pieces()):
        with tf.GradientTape() as tape:
            logits = model(inputs)
            loss = loss_fn(targets, logits)
            mean_loss.update_state(loss)
            accuracy.update_state(targets, logits)
        if number % 3 == 2 and float(loss) > 10.0:
            continue
        grads = tape.gradient(loss, model.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(mean_loss.result()), float(accuracy.result()), float(norm))

guess = np.argmax(model(np.zeros((BATCH, 3), "int32"))[0], axis=-1)
print("".join(LETTERS[i] for i in guess))
