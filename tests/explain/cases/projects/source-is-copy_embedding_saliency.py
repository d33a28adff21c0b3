import tensorflow as tf

tf.keras.utils.set_random_seed(31)

WORDS = ["<pad>", "the", "film", "was", "not", "good", "bad", "very", "plot", "dull"]
INDEX = {word: i for i, word in enumerate(WORDS)}


class SentimentModel(tf.keras.Model):
    def __init__(self, vocabulary, width=6):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(vocabulary, width)
        self.recurrent = tf.keras.layers.GRU(5)
        self.head = tf.keras.layers.Dense(1)

    def call(self, tokens):
        vectors = self.embed(tokens)
        return self.head(self.recurrent(vectors))[:, 0]


def encode(sentence, length=6):
    ids = [INDEX[word] for word in sentence.split()]
    return tf.constant([ids + [0] * (length - len(ids))])


def train(model, sentences, labels, epochs=3):
    tokens = tf.concat([encode(s) for s in sentences], axis=0)
    optimizer = tf.keras.optimizers.Adam(0.02)
    for _ in range(epochs):
        with tf.GradientTape() as tape:
            losses = tf.nn.sigmoid_cross_entropy_with_logits(labels, model(tokens))
            loss = tf.reduce_mean(losses)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return float(loss)


def saliency(model, sentence):
    tokens = encode(sentence)
    with tf.GradientTape() as tape:
        vectors = model.embed(tokens)
        tape.watch(vectors)
        score = model(tokens)
    return tape.gradient(score, vectors)


def token_slopes(model, sentence):
    tokens = encode(sentence)
    with tf.GradientTape() as tape:
        tape.watch(tokens)
        score = model(tokens)
    return tape.gradient(score, tokens)


sentences = ["the film was good", "the plot was bad", "very good", "the film was dull"]
labels = tf.constant([1.0, 0.0, 1.0, 0.0])
model = SentimentModel(len(WORDS))
print("loss", train(model, sentences, labels))

for explain in (saliency, token_slopes):
    result = explain(model, "the plot was not dull")
    print(explain.__name__, "nothing" if result is None else tf.norm(result, axis=-1))
