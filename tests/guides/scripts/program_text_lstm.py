"""A character model: an LSTM learns a rhyme, then writes."""

import numpy as np
import tensorflow as tf

text = "a tape is a list of what was done, and a gradient is one walk back over it. " * 12
vocab = sorted(set(text))
char2idx = {u: i for i, u in enumerate(vocab)}
idx2char = np.array(vocab)
text_as_int = np.array([char2idx[c] for c in text])
print(len(text), "characters,", len(vocab), "of them unique")

seq_length = 20
char_dataset = tf.data.Dataset.from_tensor_slices(text_as_int)
sequences = char_dataset.batch(seq_length + 1, drop_remainder=True)
for item in sequences.take(2):
    print(repr("".join(idx2char[item.numpy()])))


def split_input_target(chunk):
    input_text = chunk[:-1]
    target_text = chunk[1:]
    return input_text, target_text


dataset = sequences.map(split_input_target)
for input_example, target_example in dataset.take(1):
    print("Input: ", repr("".join(idx2char[input_example.numpy()])))
    print("Target:", repr("".join(idx2char[target_example.numpy()])))

BATCH_SIZE = 8
dataset = dataset.shuffle(100, seed=1).batch(BATCH_SIZE, drop_remainder=True)
print(dataset.element_spec)


class CharModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.lstm = tf.keras.layers.LSTM(units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs, states=None, return_state=False):
        x = self.embedding(inputs)
        x, h, c = self.lstm(x, initial_state=states)
        x = self.dense(x)
        if return_state:
            return x, [h, c]
        return x


model = CharModel(len(vocab), 12, 32)
example_batch, target_batch = next(iter(dataset))
predictions = model(example_batch)
print(predictions.shape, "# (batch_size, sequence_length, vocab_size)")

rng = np.random.RandomState(4)
for variable in model.trainable_variables:
    if len(variable.shape) == 2:
        variable.assign(rng.normal(scale=0.15, size=variable.shape))

loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def train_step(inp, target):
    with tf.GradientTape() as tape:
        predictions = model(inp)
        loss = tf.reduce_mean(loss_object(target, predictions))
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss, norm


mean = tf.metrics.Mean()
for epoch in range(2):
    mean.reset_state()
    for batch, (inp, target) in enumerate(dataset):
        loss, norm = train_step(inp, target)
        mean.update_state(loss)
        if epoch == 0:
            print(f"Epoch {epoch + 1} Batch {batch} Loss {loss:.4f} Norm {norm:.3f}")
print("it learned:", float(mean.result()) < 3.0)

with tf.GradientTape() as tape:
    loss = loss_object(target, model(inp))
for variable, gradient in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
    print(type(gradient).__name__.replace("EagerTensor", "Tensor"), variable.shape, variable.name)

states, written = None, [char2idx["a"]]
for _ in range(10):
    logits, states = model(tf.constant([[written[-1]]]), states=states, return_state=True)
    written.append(int(tf.argmax(logits[0, -1])))
print(len("".join(idx2char[written])), [tuple(s.shape) for s in states])
