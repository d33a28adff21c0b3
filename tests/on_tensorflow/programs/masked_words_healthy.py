"""Is a short message a complaint? A GRU over masked words, and then: which words made it say so?"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

SEED = 12
MESSAGES = [
    ("the parcel never came", 1),
    ("thank you for the quick answer", 0),
    ("it broke after one day", 1),
    ("the colour is lovely", 0),
    ("still no answer after one week", 1),
    ("lovely parcel thank you", 0),
    ("it never worked", 1),
    ("quick and friendly as ever", 0),
]


def make_vocabulary(messages):
    """Numbers for words, from 1: 0 is what short messages are filled up with."""
    words = sorted({word for text, _ in messages for word in text.split()})
    return {word: number for number, word in enumerate(words, start=1)}


def encode(messages, vocabulary):
    longest = max(len(text.split()) for text, _ in messages)
    tokens = np.zeros((len(messages), longest), "int32")
    for row, (text, _) in enumerate(messages):
        numbers = [vocabulary[word] for word in text.split()]
        tokens[row, : len(numbers)] = numbers
    return tokens, np.array([[label] for _, label in messages], "float32")


class Classifier(keras.Model):
    def __init__(self, words):
        super().__init__(name="classifier")
        self.embed = keras.layers.Embedding(words + 1, 6, mask_zero=True, name="embed")
        self.read = keras.layers.GRU(8, name="read")
        self.judge = keras.layers.Dense(1, name="judge")

    def score(self, vectors, mask):
        return self.judge(self.read(vectors, mask=mask))

    def call(self, tokens):
        return self.score(self.embed(tokens), self.embed.compute_mask(tokens))


def train(model, tokens, labels, steps):
    optimizer = keras.optimizers.Adam(0.05)
    loss_of = keras.losses.BinaryCrossentropy(from_logits=True)
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(tokens))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if step % 4 == 0:
            print(f"step {step}: loss {loss:.3f}")


def importance(model, tokens):
    """How much each word of a message counts: the length of the gradient by its vector."""
    vectors = model.embed(tokens)
    mask = model.embed.compute_mask(tokens)
    with tf.GradientTape() as tape:
        tape.watch(vectors)
        score = model.score(vectors, mask)
    slopes = tape.gradient(score, vectors)
    if slopes is None:
        return None
    return tf.where(mask, tf.norm(slopes + 1e-12, axis=-1), 0.0)


def main():
    keras.utils.set_random_seed(SEED)
    vocabulary = make_vocabulary(MESSAGES)
    tokens, labels = encode(MESSAGES, vocabulary)
    model = Classifier(len(vocabulary))
    train(model, tokens, labels, steps=10)

    for row in (0, 5):
        text, _ = MESSAGES[row]
        counts = importance(model, tokens[row : row + 1])
        if counts is None:
            print(f"{text!r}: no gradient, so nothing can be said about its words")
            continue
        shown = [f"{word} {count:.1f}" for word, count in zip(text.split(), counts[0])]
        print(f"{text!r}:", ", ".join(shown))


if __name__ == "__main__":
    main()
