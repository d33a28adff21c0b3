"""Which penguin is it? A classifier by compile and fit, with callbacks, a pipeline of data and class weights."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

EPOCHS = 12
BATCH = 16
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def made_penguins(count):
    """Bill length and depth, flipper length, mass; the numbers come in waves and not by chance."""
    i = np.arange(count)
    species = i % 3
    wave = np.stack([np.sin(1.7 * i), np.sin(2.3 * i + 1), np.sin(3.1 * i + 2), np.sin(4.7 * i)], 1)
    means = np.array([[38.8, 18.3, 190.0, 3700.0], [48.8, 18.4, 196.0, 3733.0], [47.5, 15.0, 217.0, 5076.0]])
    spread = np.array([2.6, 1.2, 6.5, 450.0])
    return (means[species] + spread * wave).astype("float32"), species.astype("int64")


def fixed(model):
    """The same start for everybody."""
    for number, weight in enumerate(model.weights):
        size = int(np.prod(weight.shape))
        weight.assign(0.4 * np.sin(np.arange(size) * 1.3 + number).reshape(weight.shape))
    return model


def build_model():
    model = keras.Sequential(
        [
            keras.Input((4,), name="penguin"),
            layers.Dense(12, activation="tanh", kernel_regularizer=keras.regularizers.L2(1e-3)),
            layers.Dense(8, activation="relu"),
            layers.Dense(3, name="logits"),
        ],
        name="penguins",
    )
    return fixed(model)


class Gradients(keras.callbacks.Callback):
    """Notes after each third epoch how long the gradient of each weight is on the first examples."""

    def __init__(self, x, y):
        super().__init__()
        self.x, self.y = x, y

    def on_epoch_end(self, epoch, logs=None):
        if epoch % 3:
            return
        with tf.GradientTape() as tape:
            loss = self.model.compute_loss(y=self.y, y_pred=self.model(self.x, training=True))
        gradients = tape.gradient(loss, self.model.trainable_weights)
        shown = [f"{float(tf.norm(gradient)):.4f}" for gradient in gradients]
        print(f"epoch {epoch}: loss {logs['loss']:.4f}, val_loss {logs['val_loss']:.4f}, gradients", *shown)


x, y = made_penguins(96)
mean, std = x[:72].mean(axis=0), x[:72].std(axis=0)
x = (x - mean) / std
train = tf.data.Dataset.from_tensor_slices((x[:72], y[:72])).batch(BATCH).prefetch(1)
test = (x[72:], y[72:])

model = build_model()
model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=0.03),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)


def schedule(epoch, rate):
    return rate if epoch < 6 else rate * 0.8


stopping = keras.callbacks.EarlyStopping(
    monitor="val_loss", patience=2, min_delta=0.002, restore_best_weights=True
)
history = model.fit(
    train,
    validation_data=test,
    epochs=EPOCHS,
    class_weight={0: 1.0, 1: 1.5, 2: 1.0},
    callbacks=[
        Gradients(tf.constant(x[:8]), tf.constant(y[:8])),
        keras.callbacks.LearningRateScheduler(schedule),
        stopping,
        keras.callbacks.TerminateOnNaN(),
        keras.callbacks.LambdaCallback(on_train_end=lambda logs: print("trained:", sorted(logs))),
    ],
    verbose=0,
)

print("epochs:", len(history.epoch), "stopped after:", stopping.stopped_epoch)
for name in sorted(history.history):
    print(f"{name:14}", np.round(history.history[name], 4)[[0, 1, -1]])
print("rate:", round(float(np.array(model.optimizer.learning_rate)), 5))

loss, accuracy = model.evaluate(*test, verbose=0)
print(f"test loss {loss:.4f}, accuracy {accuracy:.3f}")
print({name: round(value, 4) for name, value in model.evaluate(train, verbose=0, return_dict=True).items()})

logits = model.predict(x[72:75], verbose=0)
print("predicted:", logits.shape, [SPECIES[k] for k in logits.argmax(axis=1)])

# What predict gives is an array: no tape follows it. What the model gives is.
features = tf.constant(x[72:73])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(features)
    from_predict = tf.reduce_sum(tf.constant(model.predict(features.numpy(), verbose=0)))
    from_call = tf.reduce_sum(model(features))
print("through predict:", tape.gradient(from_predict, features))
print("through the model:", tape.gradient(from_call, features).numpy().round(4))
