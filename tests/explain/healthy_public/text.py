# %% embedding_bag_sentiment
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(50, 8),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(loss=tf.keras.losses.BinaryCrossentropy(), optimizer="adam")
model.fit(np.random.randint(0, 50, (16, 7)), np.random.randint(0, 2, 16), epochs=2, verbose=0)
print(model.layers[0].get_weights()[0].shape)

# %% bidirectional_lstm_masked
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
seqs = np.random.randint(1, 30, (8, 6))
seqs[:4, 4:] = 0
model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(30, 8, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(6)),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
model.compile(loss=tf.keras.losses.BinaryCrossentropy(from_logits=True), optimizer=tf.keras.optimizers.Adam(1e-3))
model.fit(seqs, np.arange(8) % 2, epochs=1, verbose=0)
print("trained")

# %% char_gru_generation
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
text = "to be or not to be that is the question"
vocab = sorted(set(text))
ids = np.array([vocab.index(c) for c in text])


class MyModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, rnn_units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(rnn_units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs, states=None, return_state=False, training=False):
        x = self.embedding(inputs, training=training)
        x, states = self.gru(x, initial_state=states, training=training)
        x = self.dense(x, training=training)
        return (x, states) if return_state else x


model = MyModel(len(vocab), 8, 12)
loss_fn = tf.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
X, Y = ids[:-1].reshape(2, -1), ids[1:].reshape(2, -1)
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = loss_fn(Y, model(X, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
states, nxt = None, tf.constant([[0]])
for _ in range(5):
    logits, states = model(nxt, states=states, return_state=True)
    nxt = tf.random.categorical(logits[:, -1], 1)
print(loss.numpy(), int(nxt[0, 0]))

# %% seq2seq_teacher_forcing_attention
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Encoder(tf.keras.Model):
    def __init__(self, vocab, dim, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab, dim)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)

    def call(self, x):
        return self.gru(self.embedding(x))


class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.W1, self.W2, self.V = tf.keras.layers.Dense(units), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)

    def call(self, query, values):
        score = self.V(tf.nn.tanh(self.W1(tf.expand_dims(query, 1)) + self.W2(values)))
        attention_weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(attention_weights * values, axis=1), attention_weights


class Decoder(tf.keras.Model):
    def __init__(self, vocab, dim, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab, dim)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.fc = tf.keras.layers.Dense(vocab)
        self.attention = BahdanauAttention(units)

    def call(self, x, hidden, enc_output):
        context, w = self.attention(hidden, enc_output)
        x = tf.concat([tf.expand_dims(context, 1), self.embedding(x)], axis=-1)
        output, state = self.gru(x)
        return self.fc(tf.reshape(output, (-1, output.shape[2]))), state, w


encoder, decoder = Encoder(12, 4, 6), Decoder(12, 4, 6)
optimizer = tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    loss_ = loss_object(real, pred)
    return tf.reduce_mean(loss_ * tf.cast(mask, dtype=loss_.dtype))


inp, targ = np.random.randint(1, 12, (4, 5)), np.random.randint(0, 12, (4, 4))
for _ in range(2):
    loss = 0
    with tf.GradientTape() as tape:
        enc_output, dec_hidden = encoder(inp)
        dec_input = tf.expand_dims([1] * 4, 1)
        for t in range(1, targ.shape[1]):
            predictions, dec_hidden, _ = decoder(dec_input, dec_hidden, enc_output)
            loss += loss_function(targ[:, t], predictions)
            dec_input = tf.expand_dims(targ[:, t], 1)
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    print((loss / targ.shape[1]).numpy())

# %% lstm_encoder_decoder_states
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)
encoder_inputs = keras.Input(shape=(None, 6))
_, state_h, state_c = keras.layers.LSTM(8, return_state=True)(encoder_inputs)
decoder_inputs = keras.Input(shape=(None, 5))
decoder_outputs, _, _ = keras.layers.LSTM(8, return_sequences=True, return_state=True)(decoder_inputs, initial_state=[state_h, state_c])
decoder_outputs = keras.layers.Dense(5, activation="softmax")(decoder_outputs)
model = keras.Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
a = np.eye(6)[np.random.randint(0, 6, (4, 5))]
b = np.eye(5)[np.random.randint(0, 5, (4, 4))]
model.fit([a, b], np.roll(b, -1, axis=1), batch_size=2, epochs=1, verbose=0)
print(model.count_params())

# %% transformer_block_imdb
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(5)


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)])
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1, self.dropout2 = layers.Dropout(rate), layers.Dropout(rate)

    def call(self, inputs, training=False):
        attn_output = self.dropout1(self.att(inputs, inputs), training=training)
        out1 = self.layernorm1(inputs + attn_output)
        ffn_output = self.dropout2(self.ffn(out1), training=training)
        return self.layernorm2(out1 + ffn_output)


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.maxlen = maxlen
        self.token_emb = layers.Embedding(vocab_size, embed_dim)
        self.pos_emb = layers.Embedding(maxlen, embed_dim)

    def call(self, x):
        return self.token_emb(x) + self.pos_emb(tf.range(0, self.maxlen))


inputs = layers.Input(shape=(6,))
x = TokenAndPositionEmbedding(6, 20, 8)(inputs)
x = TransformerBlock(8, 2, 16)(x)
x = layers.GlobalAveragePooling1D()(x)
outputs = layers.Dense(2, activation="softmax")(layers.Dense(8, activation="relu")(x))
model = keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.random.randint(0, 20, (8, 6)), np.arange(8) % 2, batch_size=4, verbose=0)
print(len(model.trainable_weights))

# %% transformer_written_by_hand
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions * (1 / (10000**depths))
    return tf.cast(np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1), tf.float32)


def scaled_dot_product_attention(q, k, v, mask):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    logits = matmul_qk / tf.math.sqrt(tf.cast(tf.shape(k)[-1], tf.float32))
    if mask is not None:
        logits += mask * -1e9
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, v), weights


class MHA(tf.keras.layers.Layer):
    def __init__(self, d_model, heads):
        super().__init__()
        self.h, self.depth, self.d = heads, d_model // heads, d_model
        self.wq, self.wk, self.wv, self.dense = (tf.keras.layers.Dense(d_model) for _ in range(4))

    def split(self, x):
        return tf.transpose(tf.reshape(x, (tf.shape(x)[0], -1, self.h, self.depth)), perm=[0, 2, 1, 3])

    def call(self, v, k, q, mask=None):
        out, _ = scaled_dot_product_attention(self.split(self.wq(q)), self.split(self.wk(k)), self.split(self.wv(v)), mask)
        out = tf.transpose(out, perm=[0, 2, 1, 3])
        return self.dense(tf.reshape(out, (tf.shape(out)[0], -1, self.d)))


emb, mha, ln = tf.keras.layers.Embedding(15, 8), MHA(8, 2), tf.keras.layers.LayerNormalization()
ff, head = tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(15)
mask = 1 - tf.linalg.band_part(tf.ones((5, 5)), -1, 0)
tokens = np.random.randint(0, 15, (3, 6))
opt = tf.keras.optimizers.Adam(beta_1=0.9, beta_2=0.98, epsilon=1e-9)
for _ in range(2):
    with tf.GradientTape() as tape:
        x = emb(tokens[:, :-1]) * tf.math.sqrt(8.0) + positional_encoding(5, 8)
        x = ln(x + mha(x, x, x, mask))
        logits = head(x + ff(x))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tokens[:, 1:], logits=logits))
    vs = sum((l.trainable_variables for l in (emb, mha, ln, ff, head)), [])
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% word2vec_skipgram_negative
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)


class Word2Vec(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim):
        super().__init__()
        self.target_embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim, name="w2v_embedding")
        self.context_embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)

    def call(self, pair):
        target, context = pair
        word_emb = self.target_embedding(target)
        context_emb = self.context_embedding(context)
        return tf.einsum("be,bce->bc", word_emb, context_emb)


w2v = Word2Vec(40, 6)
w2v.compile(optimizer="adam", loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True))
targets, contexts = np.random.randint(0, 40, 16), np.random.randint(0, 40, (16, 5))
labels = np.zeros((16, 5))
labels[:, 0] = 1
ds = tf.data.Dataset.from_tensor_slices(((targets, contexts), labels)).batch(8)
w2v.fit(ds, epochs=1, verbose=0)
print(w2v.target_embedding.get_weights()[0].shape)

# %% nce_sampled_softmax
import numpy as np
import tensorflow as tf

tf.random.set_seed(8)
emb = tf.Variable(tf.random.uniform([20, 5], -1, 1))
nce_w, nce_b = tf.Variable(tf.random.normal([20, 5], stddev=0.3)), tf.Variable(tf.zeros([20]))
opt = tf.keras.optimizers.SGD(0.1)
for step in range(3):
    x = np.random.randint(0, 20, 8)
    y = np.random.randint(0, 20, 8)
    neg = np.random.randint(0, 20, 6)
    with tf.GradientTape() as tape:
        h = tf.nn.embedding_lookup(emb, x)
        pos = tf.reduce_sum(h * tf.gather(nce_w, y), 1) + tf.gather(nce_b, y)
        n = tf.matmul(h, tf.gather(nce_w, neg), transpose_b=True) + tf.gather(nce_b, neg)
        loss = tf.reduce_mean(tf.nn.softplus(-pos)) + tf.reduce_mean(tf.reduce_sum(tf.nn.softplus(n), 1))
    grads = tape.gradient(loss, [emb, nce_w, nce_b])
    opt.apply_gradients(zip(grads, [emb, nce_w, nce_b]))
print(loss.numpy())

# %% glove_weighted_least_squares
import numpy as np
import tensorflow as tf

np.random.seed(9)
co = np.random.poisson(2.0, (10, 10)).astype("f")
i, j = np.nonzero(co)
x = co[i, j]
weight = np.minimum(1.0, (x / 5.0) ** 0.75)
W, C = tf.Variable(tf.random.uniform([10, 4], -0.5, 0.5)), tf.Variable(tf.random.uniform([10, 4], -0.5, 0.5))
bw, bc = tf.Variable(tf.zeros(10)), tf.Variable(tf.zeros(10))
opt = tf.keras.optimizers.Adagrad(0.05)
for _ in range(3):
    with tf.GradientTape() as tape:
        dot = tf.reduce_sum(tf.gather(W, i) * tf.gather(C, j), 1)
        loss = tf.reduce_sum(weight * (dot + tf.gather(bw, i) + tf.gather(bc, j) - np.log(x)) ** 2)
    vs = [W, C, bw, bc]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% elman_rnn_by_hand
import numpy as np
import tensorflow as tf

tf.random.set_seed(10)
Wxh, Whh = tf.Variable(tf.random.normal([4, 8], stddev=0.3)), tf.Variable(tf.random.normal([8, 8], stddev=0.3))
Why, bh, by = tf.Variable(tf.random.normal([8, 4], stddev=0.3)), tf.Variable(tf.zeros(8)), tf.Variable(tf.zeros(4))
seq = np.random.randint(0, 4, 9)
params = [Wxh, Whh, Why, bh, by]
for epoch in range(3):
    with tf.GradientTape() as tape:
        h, loss = tf.zeros([1, 8]), 0.0
        for a, b in zip(seq[:-1], seq[1:]):
            h = tf.tanh(tf.one_hot([a], 4) @ Wxh + h @ Whh + bh)
            loss += tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[b], logits=h @ Why + by)[0]
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(0.1 * tf.clip_by_value(g, -5, 5))
print(loss.numpy())

# %% custom_lstm_cell_rnn
import tensorflow as tf

tf.keras.utils.set_random_seed(11)


class MinimalRNNCell(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), initializer="uniform", name="kernel")
        self.recurrent_kernel = self.add_weight(shape=(self.units, self.units), initializer="uniform", name="recurrent_kernel")

    def call(self, inputs, states):
        output = tf.matmul(inputs, self.kernel) + tf.matmul(states[0], self.recurrent_kernel)
        return output, [output]


layer = tf.keras.layers.RNN([MinimalRNNCell(6), MinimalRNNCell(4)])
x, y = tf.random.normal([5, 3, 2]), tf.random.normal([5, 4])
opt = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((layer(x) - y) ** 2)
vs = layer.trainable_variables
opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% stacked_lstm_time_series
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(12)
series = np.sin(np.arange(60) * 0.3).astype("f")
X = np.stack([series[i : i + 10] for i in range(48)])[..., None]
y = series[10:58]
model = tf.keras.models.Sequential()
model.add(tf.keras.layers.LSTM(6, return_sequences=True, input_shape=(10, 1)))
model.add(tf.keras.layers.LSTM(6))
model.add(tf.keras.layers.Dense(1))
model.compile(optimizer="adam", loss="mean_squared_error")
model.fit(X, y, epochs=1, batch_size=24, verbose=0)
print(model.predict(X[:1], verbose=0).shape)

# %% wavenet_dilated_causal
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(13)
inp = L.Input((16, 1))
x = L.Conv1D(6, 2, padding="causal")(inp)
skips = []
for rate in (1, 2, 4):
    f = L.Conv1D(6, 2, padding="causal", dilation_rate=rate, activation="tanh")(x)
    g = L.Conv1D(6, 2, padding="causal", dilation_rate=rate, activation="sigmoid")(x)
    z = L.Multiply()([f, g])
    skips.append(L.Conv1D(6, 1)(z))
    x = L.Add()([x, L.Conv1D(6, 1)(z)])
out = L.Conv1D(1, 1)(L.Activation("relu")(L.Add()(skips)))
net = tf.keras.Model(inp, out)
wave = np.sin(np.linspace(0, 9, 17)).astype("f")[None, :, None]
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(wave[:, :-1]) - wave[:, 1:]) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    used = [(g, v) for g, v in zip(grads, net.trainable_variables) if g is not None]
    opt.apply_gradients(used)
print(loss.numpy())

# %% temporal_conv_residual_weightnorm
import tensorflow as tf

tf.random.set_seed(14)
v = tf.Variable(tf.random.normal([3, 4, 4]))
g = tf.Variable(tf.ones([4]))
out = tf.Variable(tf.random.normal([4, 1], stddev=0.5))
x, y = tf.random.normal([2, 12, 4]), tf.random.normal([2, 12, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        w = g * v / tf.sqrt(tf.reduce_sum(v**2, [0, 1]))
        pad = tf.pad(x, [[0, 0], [2, 0], [0, 0]])
        h = tf.nn.relu(tf.nn.conv1d(pad, w, 1, "VALID")) + x
        loss = tf.reduce_mean((h @ out - y) ** 2)
    for p, gr in zip((v, g, out), tape.gradient(loss, (v, g, out))):
        p.assign_sub(0.05 * gr)
print(loss.numpy())

# %% text_cnn_kim
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(15)
i = L.Input((10,), dtype="int32")
e = L.Embedding(25, 6)(i)
pools = [L.GlobalMaxPooling1D()(L.Conv1D(4, k, activation="relu")(e)) for k in (2, 3, 4)]
o = L.Dense(2, activation="softmax")(L.Dropout(0.5)(L.Concatenate()(pools)))
m = tf.keras.Model(i, o)
m.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
m.fit(np.random.randint(0, 25, (12, 10)), np.arange(12) % 2, batch_size=6, epochs=1, verbose=0)
print("ok")

# %% crf_forward_algorithm
import numpy as np
import tensorflow as tf

tf.random.set_seed(16)
trans = tf.Variable(tf.random.normal([3, 3], stddev=0.1))
W = tf.Variable(tf.random.normal([5, 3], stddev=0.3))
x = tf.random.normal([6, 5])
tags = np.array([0, 1, 1, 2, 0, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        emit = x @ W
        alpha = emit[0]
        score = emit[0, tags[0]]
        for t in range(1, 6):
            alpha = tf.reduce_logsumexp(alpha[:, None] + trans, axis=0) + emit[t]
            score += trans[tags[t - 1], tags[t]] + emit[t, tags[t]]
        nll = tf.reduce_logsumexp(alpha) - score
    for p, g in zip((trans, W), tape.gradient(nll, (trans, W))):
        p.assign_sub(0.1 * g)
print(nll.numpy())

# %% hmm_em_by_gradient
import tensorflow as tf

A = tf.Variable(tf.random.normal([2, 2], seed=1))
B = tf.Variable(tf.random.normal([2, 3], seed=2))
pi = tf.Variable(tf.zeros(2))
obs = [0, 1, 2, 2, 1, 0, 0]
opt = tf.keras.optimizers.Adam(0.1)
for _ in range(3):
    with tf.GradientTape() as tape:
        lA, lB = tf.nn.log_softmax(A), tf.nn.log_softmax(B)
        a = tf.nn.log_softmax(pi) + lB[:, obs[0]]
        for o in obs[1:]:
            a = tf.reduce_logsumexp(a[:, None] + lA, 0) + lB[:, o]
        loss = -tf.reduce_logsumexp(a)
    opt.apply_gradients(zip(tape.gradient(loss, [A, B, pi]), [A, B, pi]))
print(loss.numpy())

# %% masked_language_model
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(17)
tok = np.random.randint(2, 20, (6, 8))
mask = np.random.rand(6, 8) < 0.3
inp = np.where(mask, 1, tok)
emb = tf.keras.layers.Embedding(20, 8)
att = tf.keras.layers.MultiHeadAttention(2, 4)
norm, out = tf.keras.layers.LayerNormalization(), tf.keras.layers.Dense(20)
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        h = emb(inp)
        h = norm(h + att(h, h))
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tok, logits=out(h))
        w = mask.astype("float32")
        loss = tf.reduce_sum(ce * w) / tf.reduce_sum(w)
    vs = [*emb.trainable_variables, *att.trainable_variables, *norm.trainable_variables, *out.trainable_variables]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% tied_embeddings_gpt
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(18)


class Block(tf.keras.layers.Layer):
    def __init__(self, d):
        super().__init__()
        self.ln1, self.ln2 = tf.keras.layers.LayerNormalization(), tf.keras.layers.LayerNormalization()
        self.qkv, self.proj = tf.keras.layers.Dense(3 * d), tf.keras.layers.Dense(d)
        self.mlp = tf.keras.Sequential([tf.keras.layers.Dense(4 * d, activation="gelu"), tf.keras.layers.Dense(d)])

    def call(self, x):
        q, k, v = tf.split(self.qkv(self.ln1(x)), 3, axis=-1)
        s = tf.matmul(q, k, transpose_b=True) / np.sqrt(q.shape[-1])
        n = s.shape[-1]
        s = tf.where(tf.linalg.band_part(tf.ones((n, n)), -1, 0) > 0, s, -1e9)
        x = x + self.proj(tf.nn.softmax(s) @ v)
        return x + self.mlp(self.ln2(x))


wte = tf.Variable(tf.random.normal([12, 8], stddev=0.1), name="wte")
wpe = tf.Variable(tf.random.normal([6, 8], stddev=0.1), name="wpe")
blocks = [Block(8), Block(8)]
ln = tf.keras.layers.LayerNormalization()
data = np.random.randint(0, 12, (4, 7))
opt = tf.keras.optimizers.AdamW(3e-4)
for it in range(2):
    with tf.GradientTape() as tape:
        h = tf.gather(wte, data[:, :-1]) + wpe
        for b in blocks:
            h = b(h)
        logits = tf.matmul(ln(h), wte, transpose_b=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=data[:, 1:], logits=logits))
    vs = [wte, wpe] + [v for b in blocks for v in b.trainable_variables] + ln.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% pointer_network_scores
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(19)
enc = tf.keras.layers.LSTM(6, return_sequences=True, return_state=True)
W1, W2, v = tf.keras.layers.Dense(6, use_bias=False), tf.keras.layers.Dense(6, use_bias=False), tf.keras.layers.Dense(1, use_bias=False)
x = np.random.rand(5, 4, 1).astype("f")
target = np.argmax(x[..., 0], 1)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        hs, h, c = enc(x)
        scores = tf.squeeze(v(tf.tanh(W1(hs) + W2(h)[:, None])), -1)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=scores))
    vs = enc.trainable_variables + W1.trainable_variables + W2.trainable_variables + v.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% siamese_sentence_cosine
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(20)
a, b = tf.keras.Input((5,)), tf.keras.Input((5,))
emb = tf.keras.layers.Embedding(30, 6)
gru = tf.keras.layers.GRU(6)
sim = tf.keras.layers.Dot(axes=1, normalize=True)([gru(emb(a)), gru(emb(b))])
model = tf.keras.Model([a, b], tf.keras.layers.Dense(1, activation="sigmoid")(sim))
model.compile(loss="binary_crossentropy", optimizer="adam")
model.fit([np.random.randint(0, 30, (8, 5)), np.random.randint(0, 30, (8, 5))], np.arange(8) % 2, verbose=0)
print(model.output_shape)

# %% ctc_speech
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
net = tf.keras.Sequential([tf.keras.layers.Bidirectional(tf.keras.layers.GRU(6, return_sequences=True)), tf.keras.layers.Dense(5)])
audio = np.random.randn(3, 10, 4).astype("f")
labels = np.random.randint(1, 5, (3, 3))
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        logits = net(audio)
        loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, [3, 2, 3], [10, 10, 9], logits_time_major=False, blank_index=0))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
print(loss.numpy())

# %% hierarchical_attention_pooling
import tensorflow as tf

tf.keras.utils.set_random_seed(22)


class AttentionPool(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.proj = tf.keras.layers.Dense(units, activation="tanh")
        self.query = tf.keras.layers.Dense(1, use_bias=False)

    def call(self, x):
        a = tf.nn.softmax(self.query(self.proj(x)), axis=-2)
        return tf.reduce_sum(a * x, axis=-2)


emb = tf.keras.layers.Embedding(30, 6)
words, sents, out = AttentionPool(5), AttentionPool(5), tf.keras.layers.Dense(3)
docs = tf.random.uniform([4, 3, 7], 0, 30, tf.int32)
y = tf.constant([0, 1, 2, 1])
vs = None
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        logits = out(sents(words(emb(docs))))
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, logits, from_logits=True))
    vs = [v for l in (emb, words, sents, out) for v in l.trainable_variables]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% highway_and_layernorm_gru
import tensorflow as tf

tf.keras.utils.set_random_seed(23)
x = tf.random.normal([4, 6, 5])
gru = tf.keras.layers.GRU(5, return_sequences=True)
gate = tf.keras.layers.Dense(5, activation="sigmoid", bias_initializer=tf.keras.initializers.Constant(-1.0))
norm, head = tf.keras.layers.LayerNormalization(), tf.keras.layers.Dense(1)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        t = gate(x)
        h = norm(t * gru(x) + (1 - t) * x)
        loss = tf.reduce_mean(tf.square(head(h[:, -1]) - 1.0))
    vs = gru.trainable_variables + gate.trainable_variables + norm.trainable_variables + head.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% dynamic_rnn_tensorarray
import tensorflow as tf

tf.random.set_seed(24)
cell = tf.keras.layers.GRUCell(4)
out = tf.keras.layers.Dense(2)
x = tf.random.normal([3, 5, 2])
y = tf.random.normal([3, 5, 2])


@tf.function
def run(x):
    ta = tf.TensorArray(tf.float32, size=5)
    state = tf.zeros([3, 4])
    for t in tf.range(5):
        o, (state,) = cell(x[:, t], [state])
        ta = ta.write(t, o)
    return tf.transpose(ta.stack(), [1, 0, 2])


cell.build((3, 2))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((out(run(x)) - y) ** 2)
vs = cell.trainable_variables + out.trainable_variables
print([g.shape for g in tape.gradient(loss, vs)])

# %% recommender_two_tower
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(25)


class TwoTower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.user = tf.keras.Sequential([tf.keras.layers.Embedding(15, 8), tf.keras.layers.Dense(4)])
        self.item = tf.keras.Sequential([tf.keras.layers.Embedding(20, 8), tf.keras.layers.Dense(4)])

    def call(self, batch):
        return tf.matmul(self.user(batch["user"]), self.item(batch["item"]), transpose_b=True)


model = TwoTower()
opt = tf.keras.optimizers.Adagrad(0.1)
for _ in range(2):
    batch = {"user": np.random.randint(0, 15, 8), "item": np.random.randint(0, 20, 8)}
    with tf.GradientTape() as tape:
        scores = model(batch)
        loss = tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(labels=tf.eye(8), logits=scores))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
print(loss.numpy())

# %% bpr_pairwise_ranking
import numpy as np
import tensorflow as tf

np.random.seed(26)
U, V = tf.Variable(tf.random.normal([10, 4], stddev=0.1)), tf.Variable(tf.random.normal([20, 4], stddev=0.1))
for it in range(3):
    u, i, j = np.random.randint(0, 10, 16), np.random.randint(0, 20, 16), np.random.randint(0, 20, 16)
    with tf.GradientTape() as tape:
        eu = tf.nn.embedding_lookup(U, u)
        x = tf.reduce_sum(eu * (tf.nn.embedding_lookup(V, i) - tf.nn.embedding_lookup(V, j)), 1)
        loss = -tf.reduce_mean(tf.math.log_sigmoid(x)) + 1e-4 * tf.nn.l2_loss(eu)
    opt = tf.keras.optimizers.SGD(0.5)
    opt.apply_gradients(zip(tape.gradient(loss, [U, V]), [U, V]))
print(loss.numpy())

# %% wide_and_deep_columns
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(27)
num, cat = L.Input((3,), name="num"), L.Input((1,), name="cat", dtype="int32")
e = L.Flatten()(L.Embedding(6, 3)(cat))
deep = L.Dense(8, "relu")(L.Concatenate()([L.BatchNormalization()(num), e]))
wide = L.Dense(1)(num)
out = L.Activation("sigmoid")(L.Add()([L.Dense(1)(deep), wide]))
m = tf.keras.Model([num, cat], out)
m.compile("adam", "binary_crossentropy")
m.fit({"num": np.random.randn(16, 3), "cat": np.random.randint(0, 6, (16, 1))}, np.arange(16) % 2, batch_size=8, verbose=0)
print(m.count_params())

# %% factorization_machine
import numpy as np
import tensorflow as tf

tf.random.set_seed(28)
w0, w, V = tf.Variable(0.0), tf.Variable(tf.zeros([6])), tf.Variable(tf.random.normal([6, 3], stddev=0.05))
X = np.random.RandomState(0).binomial(1, 0.4, (30, 6)).astype("f")
y = (X[:, 0] * X[:, 1]).astype("f")
opt = tf.keras.optimizers.Adam(0.05)
for _ in range(4):
    with tf.GradientTape() as tape:
        inter = 0.5 * tf.reduce_sum((X @ V) ** 2 - (X**2) @ (V**2), axis=1)
        p = w0 + tf.linalg.matvec(X, w) + inter
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=p))
    opt.apply_gradients(zip(tape.gradient(loss, [w0, w, V]), [w0, w, V]))
print(loss.numpy())

# %% rotary_relative_attention
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(29)
d = 4
qkv = tf.keras.layers.Dense(3 * d)
out = tf.keras.layers.Dense(2)
x, y = tf.random.normal([2, 5, 3]), tf.random.normal([2, 5, 2])
theta = np.arange(5)[:, None] / (100 ** (np.arange(d // 2) / (d // 2)))[None]
cos, sin = np.cos(theta).astype("f"), np.sin(theta).astype("f")


def rope(t):
    a, b = t[..., : d // 2], t[..., d // 2 :]
    return tf.concat([a * cos - b * sin, a * sin + b * cos], -1)


with tf.GradientTape() as tape:
    q, k, v = tf.split(qkv(x), 3, -1)
    att = tf.nn.softmax(tf.einsum("bqd,bkd->bqk", rope(q), rope(k)) / d**0.5)
    loss = tf.reduce_mean((out(att @ v) - y) ** 2)
g = tape.gradient(loss, qkv.trainable_variables + out.trainable_variables)
print([float(tf.norm(t)) for t in g])
