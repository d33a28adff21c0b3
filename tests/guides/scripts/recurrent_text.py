"""A recurrent cell by hand and the layers; gradients through time, clipped."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(20)
batch, time, width, units, vocab = 2, 5, 3, 4, 7
sequence = tf.constant(random.normal(size=(batch, time, width)), tf.float32)
wx = tf.Variable(random.normal(size=(width, units)).astype("float32"))
wh = tf.Variable(random.normal(size=(units, units)).astype("float32") * 1.5)
b = tf.Variable(tf.zeros(units))
with tf.GradientTape() as tape:
    h = tf.zeros([batch, units])
    states = []
    for step in tf.unstack(sequence, axis=1):
        h = tf.tanh(step @ wx + h @ wh + b)
        states.append(h)
    loss = tf.reduce_sum(tf.stack(states, axis=1) ** 2)
grads = tape.gradient(loss, [wx, wh, b])
print(float(loss), [round(float(tf.norm(g)), 4) for g in grads])
clipped, norm = tf.clip_by_global_norm(grads, 5.0)
print(norm, tf.linalg.global_norm(clipped))

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(vocab, 4),
    tf.keras.layers.GRU(5, return_sequences=True),
    tf.keras.layers.LSTM(4),
    tf.keras.layers.Dense(vocab),
])
tokens = tf.constant([[1, 2, 3, 0], [4, 5, 6, 1]])
model(tokens)
model.set_weights([random.normal(size=w.shape).astype("float32") * 0.4 for w in model.get_weights()])
loss_fn = tf.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.optimizers.RMSprop(0.01, clipnorm=1.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(tf.constant([2, 3]), model(tokens, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(f"{loss:.5f}", len(grads), sum(g is None for g in grads))

cell = tf.keras.layers.LSTMCell(3)
state = [tf.zeros([2, 3]), tf.zeros([2, 3])]
cell(sequence[:, 0], state)
cell.set_weights([np.full(w.shape, 0.1, "float32") for w in cell.get_weights()])
with tf.GradientTape() as tape:
    tape.watch(sequence)
    for t in range(time):
        out, state = cell(sequence[:, t], state)
print(out.numpy().round(5), tape.gradient(out, sequence)[0].numpy().round(5))
