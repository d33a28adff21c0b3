"""The classic classification walk-through, on points made here."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(6)
labels = np.repeat(np.arange(3), 20)
features = (random.normal(size=(60, 4)) + labels[:, None] * [1.0, -0.5, 2.0, 0.3]).astype(np.float32)
order = random.permutation(60)
features, labels = features[order], labels[order].astype(np.int64)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(10, activation=tf.nn.relu),
    tf.keras.layers.Dense(10, activation=tf.nn.relu),
    tf.keras.layers.Dense(3),
])
model(features[:1])
for weight in model.weights:
    weight.assign(random.normal(size=weight.shape).astype(np.float32) * 0.4)

predictions = model(features)
print(tf.nn.softmax(predictions[:3]))
print("Prediction: {}".format(tf.math.argmax(predictions, axis=1)))
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def loss(model, x, y, training):
    y_ = model(x, training=training)
    return loss_object(y_true=y, y_pred=y_)


print("Loss test: {:.6f}".format(loss(model, features, labels, training=False)))


def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        loss_value = loss(model, inputs, targets, training=True)
    return loss_value, tape.gradient(loss_value, model.trainable_variables)


optimizer = tf.keras.optimizers.SGD(learning_rate=0.05)
loss_value, grads = grad(model, features, labels)
print("Step: {}, Initial Loss: {:.5f}".format(optimizer.iterations.numpy(), loss_value.numpy()))
optimizer.apply_gradients(zip(grads, model.trainable_variables))
print("Step: {},         Loss: {:.5f}".format(
    optimizer.iterations.numpy(), loss(model, features, labels, training=True).numpy()))

train_loss_results = []
for epoch in range(15):
    epoch_loss_avg = tf.keras.metrics.Mean()
    epoch_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for start in range(0, 60, 20):
        x, y = features[start : start + 20], labels[start : start + 20]
        loss_value, grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        epoch_loss_avg.update_state(loss_value)
        epoch_accuracy.update_state(y, model(x, training=True))
    train_loss_results.append(epoch_loss_avg.result())
    if epoch % 5 == 0:
        print("Epoch {:03d}: Loss: {:.4f}, Accuracy: {:.3%}".format(
            epoch, epoch_loss_avg.result(), epoch_accuracy.result()))
logits = model(features, training=False)
prediction = tf.math.argmax(logits, axis=1, output_type=tf.int64)
print(tf.stack([labels, prediction], axis=1)[:6].numpy().tolist())
for i, logit in enumerate(tf.nn.softmax(logits[:3])):
    class_idx = tf.math.argmax(logit).numpy()
    p = logit[class_idx]
    print("Example {} prediction: {} ({:4.1f}%)".format(i, "abc"[class_idx], 100 * p))
