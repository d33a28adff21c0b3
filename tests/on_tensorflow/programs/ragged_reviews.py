"""Are reviews friendly? Words come as a ragged tensor, tags and shops as sparse ones."""

import numpy as np
import tensorflow as tf

SEED = 11
WORDS, TAGS, SHOPS = 40, 12, 6
SIZE = 5


def make_reviews(count):
    """Lists of word numbers of any length, lists of tags, a shop; friendly reviews use low word numbers."""
    rng = np.random.default_rng(SEED)
    friendly = rng.integers(0, 2, count)
    words, tags = [], []
    for good in friendly:
        low, high = (0, 25) if good else (15, WORDS)
        words.append(rng.integers(low, high, rng.integers(3, 9)).tolist())
        tags.append(sorted(set(rng.integers(0, TAGS, rng.integers(1, 4)).tolist())))
    shops = rng.integers(0, SHOPS, count)
    return words, tags, shops, friendly.astype("float32")


def one_hot_sparse(shops):
    """A row for each review, with a single 1 in the column of its shop."""
    indices = np.column_stack([np.arange(len(shops)), shops]).astype("int64")
    shape = [len(shops), SHOPS]
    return tf.sparse.reorder(tf.SparseTensor(indices, np.ones(len(shops), "float32"), shape))


class Reviews(tf.Module):
    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(SEED)

        def weights(name, *shape):
            return tf.Variable(rng.normal(0.0, 0.3, shape).astype("float32"), name=name)

        self.word_table = weights("word_table", WORDS, SIZE)
        self.tag_table = weights("tag_table", TAGS, SIZE)
        self.shop_bias = weights("shop_bias", SHOPS, 1)
        self.out = weights("out", 2 * SIZE, 1)

    @property
    def parameters(self):
        return [self.word_table, self.tag_table, self.shop_bias, self.out]

    def mean_of_words(self, words):
        """One vector for each review: the mean of its words."""
        vectors = tf.ragged.map_flat_values(tf.nn.embedding_lookup, self.word_table, words)
        means = [np.mean(review, axis=0) for review in vectors]
        return tf.stack(means)

    def __call__(self, words, tags, shops):
        of_words = self.mean_of_words(words)
        of_tags = tf.nn.embedding_lookup_sparse(self.tag_table, tags, None, combiner="mean")
        of_shops = tf.sparse.sparse_dense_matmul(shops, self.shop_bias)
        both = tf.concat([tf.tanh(of_words), tf.tanh(of_tags)], axis=1)
        return tf.squeeze(both @ self.out + of_shops, axis=1)


def train(model, words, tags, shops, friendly, steps, rate):
    for step in range(steps):
        with tf.GradientTape() as tape:
            logits = model(words, tags, shops)
            losses = tf.nn.sigmoid_cross_entropy_with_logits(friendly, logits)
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, model.parameters)
        for parameter, gradient in zip(model.parameters, gradients):
            if gradient is not None:
                parameter.assign_sub(rate * tf.convert_to_tensor(gradient))
        right = np.mean((logits.numpy() > 0) == (friendly > 0.5))
        print(f"step {step}: loss {loss:.4f}, right {right:.2f}")
    return gradients


def main():
    words, tags, shops, friendly = make_reviews(24)
    ragged = tf.ragged.constant(words, dtype=tf.int64)
    sparse_tags = tf.ragged.constant(tags, dtype=tf.int64).to_sparse()
    print("words in a review:", ragged.row_lengths().numpy()[:8])

    model = Reviews()
    gradients = train(
        model, ragged, sparse_tags, one_hot_sparse(shops), friendly, steps=4, rate=1.0
    )
    for parameter, gradient in zip(model.parameters, gradients):
        state = "no gradient" if gradient is None else type(gradient).__name__
        print(f"{parameter.name:14} {state}")


if __name__ == "__main__":
    main()
