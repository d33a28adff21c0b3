"""Models drawn as graphs: two inputs, two outputs, shared layers, sub-models, frozen parts."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

random = np.random.default_rng(30)
left = keras.Input(shape=(3,), name="left")
right = keras.Input(shape=(3,), name="right")
shared = keras.layers.Dense(4, activation="gelu", name="shared")
joined = keras.layers.concatenate([shared(left), shared(right)])
hidden = keras.layers.Dense(3, activation=tf.nn.swish, name="hidden")(joined)
score = keras.layers.Dense(1, activation="sigmoid", name="score")(hidden)
kind = keras.layers.Dense(2, name="kind")(keras.layers.add([hidden, left]))
model = keras.Model(inputs=[left, right], outputs=[score, kind], name="twins")
model.set_weights([random.normal(size=w.shape).astype("float32") for w in model.get_weights()])
print(model.name, sorted(layer.name for layer in model.layers if "input" not in layer.name))
print([w.name for w in model.weights], model.count_params())

a, b = (tf.constant(random.normal(size=(5, 3)), tf.float32) for _ in range(2))
labels, kinds = tf.constant([[1.0], [0.0], [1.0], [0.0], [1.0]]), tf.constant([0, 1, 1, 0, 1])
bce = keras.losses.BinaryCrossentropy()
scce = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def step(variables):
    with tf.GradientTape() as tape:
        s, k = model([a, b], training=True)
        loss = bce(labels, s) + 0.5 * scce(kinds, k)
    return loss, tape.gradient(loss, variables)


loss, grads = step(model.trainable_variables)
print(float(loss), [round(float(tf.norm(g)), 4) for g in grads])
model.get_layer("shared").trainable = False
print(len(model.trainable_variables), len(model.non_trainable_variables))
loss, grads = step(model.trainable_variables)
print([g.shape for g in grads])

features = keras.Model(model.inputs, model.get_layer("hidden").output)
print(features([a, b])[0].numpy())
with tf.GradientTape() as tape:
    tape.watch(a)
    seen = features([a, b])
print(tape.gradient(seen, a))
