import tensorflow as tf

tf.keras.utils.set_random_seed(3)
VOCABULARY = {"<pad>": 0, "to": 1, "be": 2, "or": 3, "not": 4}


class Reader(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(len(VOCABULARY), 3)
        self.head = tf.keras.layers.Dense(1)

    def call(self, tokens):
        return self.head(tf.reduce_mean(self.embed(tokens), axis=1))


def batches(lines, length):
    for line in lines:
        ids = [VOCABULARY[word] for word in line.split()]
        yield tf.constant([ids + [0] * (length - len(ids))])


reader = Reader()
for tokens in batches(["to be", "or not to be"], length=4):
    with tf.GradientTape() as tape:
        tape.watch(tokens)
        answer = reader(tokens)
    print(tape.gradient(answer, tokens))
