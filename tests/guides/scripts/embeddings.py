"""Embeddings: gradients that are rows; skip-gram with negative samples."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(19)
table = tf.Variable(random.normal(size=(6, 3)).astype("float32"))
ids = tf.constant([1, 4, 1])
with tf.GradientTape() as tape:
    rows = tf.nn.embedding_lookup(table, ids)
    loss = tf.reduce_sum(rows * rows)
grad = tape.gradient(loss, table)
print(isinstance(grad, tf.IndexedSlices), grad.indices.numpy(), grad.dense_shape.numpy())
print(grad.values.numpy())
print(tf.convert_to_tensor(grad).numpy())

optimizer = tf.keras.optimizers.SGD(0.1)
optimizer.apply_gradients([(grad, table)])
print(table.numpy())


class Word2Vec(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim):
        super().__init__()
        self.target_embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim, name="w2v_embedding")
        self.context_embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)

    def call(self, pair):
        target, context = pair
        if len(target.shape) == 2:
            target = tf.squeeze(target, axis=1)
        word_emb = self.target_embedding(target)
        context_emb = self.context_embedding(context)
        return tf.einsum("be,bce->bc", word_emb, context_emb)


word2vec = Word2Vec(6, 3)
pair = (tf.constant([[0], [2], [5]]), tf.constant([[1, 2, 3], [3, 4, 0], [0, 1, 4]]))
word2vec(pair)
word2vec.set_weights([random.normal(size=(6, 3)).astype("float32") for _ in range(2)])
labels = tf.one_hot([0, 0, 0], 3)
adam = tf.keras.optimizers.Adam(0.05)
loss_fn = tf.keras.losses.CategoricalCrossentropy(from_logits=True)
for step in range(4):
    with tf.GradientTape() as tape:
        dots = word2vec(pair)
        loss = loss_fn(labels, dots)
    grads = tape.gradient(loss, word2vec.trainable_variables)
    adam.apply_gradients(zip(grads, word2vec.trainable_variables))
    print(step, f"{loss.numpy():.5f}", [type(g).__name__ for g in grads])
print(word2vec.target_embedding.get_weights()[0].round(4))
normed = tf.nn.l2_normalize(word2vec.target_embedding.embeddings, axis=1)
print(tf.matmul(normed, normed, transpose_b=True)[0].numpy().round(4))
