"""A training loop written from scratch: batches, metrics, validation, extra losses."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

random = np.random.default_rng(5)


def values(*shape):
    return random.normal(size=shape).astype("float32") * 0.3


inputs = keras.Input(shape=(8,), name="digits")
x1 = layers.Dense(6, activation="relu")(inputs)
x2 = layers.Dense(6, activation="relu")(x1)
outputs = layers.Dense(3, name="predictions")(x2)
model = keras.Model(inputs=inputs, outputs=outputs)
model.set_weights([values(*w.shape) for w in model.get_weights()])

optimizer = keras.optimizers.SGD(learning_rate=1e-1)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_acc_metric = keras.metrics.SparseCategoricalAccuracy()
val_acc_metric = keras.metrics.SparseCategoricalAccuracy()

x_train = random.normal(size=(60, 8)).astype("float32")
y_train = (x_train[:, 0] > 0).astype("int32") + (x_train[:, 1] > 0).astype("int32")
x_val, y_val = x_train[50:], y_train[50:]
train_dataset = [(x_train[i : i + 10], y_train[i : i + 10]) for i in range(0, 50, 10)]


def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss_value = loss_fn(y, logits)
        loss_value += sum(model.losses)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_acc_metric.update_state(y, logits)
    return loss_value


for epoch in range(4):
    print(f"\nStart of epoch {epoch}")
    for step, (x_batch_train, y_batch_train) in enumerate(train_dataset):
        loss_value = train_step(x_batch_train, y_batch_train)
        if step % 2 == 0:
            print(f"Training loss (for 1 batch) at step {step}: {float(loss_value):.4f}")
    train_acc = train_acc_metric.result()
    print(f"Training acc over epoch: {float(train_acc):.4f}")
    train_acc_metric.reset_state()
    val_logits = model(x_val, training=False)
    val_acc_metric.update_state(y_val, val_logits)
    val_acc = val_acc_metric.result()
    val_acc_metric.reset_state()
    print(f"Validation acc: {float(val_acc):.4f}")

regular = keras.Sequential([
    keras.Input(shape=(8,)),
    layers.Dense(4, activation="tanh", kernel_regularizer="l2", kernel_initializer="ones"),
    layers.Dropout(0.0),
    layers.Dense(1, kernel_regularizer=keras.regularizers.L1(0.01), kernel_initializer="ones"),
])
optimizer = keras.optimizers.Adam(0.01)
mse = keras.losses.MeanSquaredError()
mean = keras.metrics.Mean(name="loss")
for step in range(5):
    with tf.GradientTape() as tape:
        prediction = regular(x_val, training=True)
        loss = mse(y_val[:, None], prediction) + tf.add_n(regular.losses)
    grads = tape.gradient(loss, regular.trainable_variables)
    optimizer.apply(grads, regular.trainable_variables)
    mean(loss)
print(len(regular.losses), float(mean.result()), mean.name, int(optimizer.iterations))
print(regular.layers[-1].kernel.numpy().ravel())
