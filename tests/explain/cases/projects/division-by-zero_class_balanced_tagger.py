import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(130)

PAD = 0
TAGS = ("other", "person", "place")


class Tagger(tf.keras.Model):
    def __init__(self, vocabulary, tags):
        super().__init__()
        self.embed = layers.Embedding(vocabulary, 6)
        self.out = layers.Dense(tags)

    def call(self, tokens):
        return self.out(self.embed(tokens))


class BalancedLoss:
    """Every tag counts the same, however rare it is."""

    def __init__(self, tags):
        self.tags = tags

    def __call__(self, labels, logits, mask):
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        member = tf.one_hot(labels, self.tags) * mask[..., None]
        totals = tf.einsum("bt,btc->c", losses, member)
        counts = tf.reduce_sum(member, axis=(0, 1))
        return tf.reduce_mean(totals / counts)


def padding_mask(tokens):
    return tf.cast(tf.not_equal(tokens, PAD), tf.float32)


def smoothness(logits, tokens):
    """Neighbouring tags should not jump, except into the padding."""
    mask = tf.cast(tf.equal(tokens[:, 1:], PAD), tf.float32)
    jumps = tf.reduce_sum(tf.square(logits[:, 1:] - logits[:, :-1]), axis=-1)
    return tf.reduce_mean(jumps * mask)


def corpus(sentences, length, seed):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, 30, (sentences, length))
    labels = np.select([tokens < 4, tokens < 9], [1, 2], 0)
    return tokens.astype("int32"), labels.astype("int32")


tokens, labels = corpus(12, 7, seed=2)
names = tokens[8:] < 4
tokens[8:][names], labels[8:][names] = 12, 0
batches = tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(4)
model = Tagger(30, len(TAGS))
criterion = BalancedLoss(len(TAGS))
optimizer = tf.keras.optimizers.Adam(0.02)
log = tf.keras.metrics.Mean()

for batch, truth in batches:
    with tf.GradientTape(persistent=True) as tape:
        logits = model(batch)
        tagging = criterion(truth, logits, padding_mask(batch))
        smooth = smoothness(logits, batch)
    main = tape.gradient(tagging, model.trainable_variables)
    side = tape.gradient(smooth, [model.embed.weights[0], model.out.kernel])
    log.update_state(tf.linalg.global_norm([tf.convert_to_tensor(g) for g in side]))
    optimizer.apply_gradients(zip(main, model.trainable_variables))
    print(float(tagging), float(smooth), float(log.result()))
