"""A convolutional network that reads digits, trained with a loop of its own over tf.data."""

import numpy as np
import tensorflow as tf

GLYPHS = """
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### ### ### ### ### .#. ### ###
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
### ### ### ### ..# ### ### .#. ### ###
"""
BATCH_SIZE = 32
EPOCHS = 6


def make_digits(count, seed):
    """Digits of 5 by 3 points, somewhere on a noisy picture of 12 by 12."""
    rng = np.random.RandomState(seed)
    rows = [line.split() for line in GLYPHS.strip().splitlines()]
    glyphs = np.array([[[c == "#" for c in row[d]] for row in rows] for d in range(10)])
    glyphs = glyphs.repeat(2, axis=1).repeat(2, axis=2)
    images = rng.randint(0, 60, size=(count, 12, 12))
    labels = rng.randint(0, 10, size=count)
    for image, label in zip(images, labels):
        top, left = rng.randint(0, 3), rng.randint(0, 7)
        image[top:top + 10, left:left + 6] += glyphs[label] * 180
    return images.astype(np.uint8), labels.astype(np.int64)


def normalize(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    return image[..., tf.newaxis], label


(x_train, y_train), (x_test, y_test) = make_digits(384, seed=0), make_digits(96, seed=1)

train_ds = (
    tf.data.Dataset.from_tensor_slices((x_train, y_train))
    .map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    .cache()
    .shuffle(384, seed=7)
    .batch(BATCH_SIZE)
    .prefetch(tf.data.AUTOTUNE)
)
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).map(normalize).batch(64)
print(train_ds.element_spec)
print(len(train_ds), "batches to train,", len(test_ds), "to test")

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, activation="relu", input_shape=(12, 12, 1)),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(10),
])
rng = np.random.RandomState(2)
for variable in model.trainable_variables:
    if len(variable.shape) > 1:
        fan_in = np.prod(variable.shape[:-1])
        variable.assign(rng.normal(scale=np.sqrt(2.0 / fan_in), size=variable.shape))

loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(learning_rate=1e-2)

train_loss = tf.keras.metrics.Mean(name="train_loss")
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")
test_loss = tf.keras.metrics.Mean(name="test_loss")
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="test_accuracy")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)
    train_accuracy(labels, predictions)
    return gradients


@tf.function
def test_step(images, labels):
    predictions = model(images, training=False)
    test_loss(loss_object(labels, predictions))
    test_accuracy(labels, predictions)


for epoch in range(EPOCHS):
    for metric in (train_loss, train_accuracy, test_loss, test_accuracy):
        metric.reset_state()
    for images, labels in train_ds:
        gradients = train_step(images, labels)
    for images, labels in test_ds:
        test_step(images, labels)
    if epoch == 0:
        print([g.shape for g in gradients], [g is None for g in gradients])
        print("first epoch: loss %.3f" % train_loss.result())
    else:
        print(f"Epoch {epoch + 1}: better than chance {float(train_accuracy.result()) > 0.3}")

print("it reads most digits:", float(test_accuracy.result()) > 0.6)
images, labels = next(iter(test_ds))
print(images.shape, images.dtype, labels[:5].numpy(), int(optimizer.iterations))
