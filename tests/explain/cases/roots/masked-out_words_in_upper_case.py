import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(0)
VOCABULARY = {"good": 1, "bad": 2, "film": 3, "slow": 4}
reviews = ["GOOD FILM", "BAD SLOW FILM", "GOOD SLOW"]
labels = tf.constant([[1.0], [0.0], [1.0]])


def ids(text, length=4):
    found = [VOCABULARY.get(word, 0) for word in text.split()]
    return found + [0] * (length - len(found))


class Sentiment(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = keras.layers.Embedding(5, 8, mask_zero=True)
        self.lstm = keras.layers.LSTM(6)
        self.out = keras.layers.Dense(1)

    def call(self, tokens):
        x = self.embed(tokens)
        x = self.lstm(x)
        return self.out(x)


model = Sentiment()
tokens = tf.constant([ids(each) for each in reviews])
loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)
with tf.GradientTape() as tape:
    loss = loss_fn(labels, model(tokens))
grads = tape.gradient(loss, model.trainable_variables)
for v, g in zip(model.trainable_variables, grads):
    print(v.path, None if g is None else float(tf.norm(tf.convert_to_tensor(g))))
