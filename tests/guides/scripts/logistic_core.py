"""Logistic regression in plain ops: standardised data, log loss, confusion, a learning curve."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(25)
raw = random.normal(size=(80, 4)).astype("float32") * [1.0, 5.0, 0.1, 2.0] + [0.0, 3.0, 1.0, -1.0]
labels = (raw[:, 0] + 0.3 * raw[:, 1] + random.normal(size=80) > 1.0).astype("int64")
x_train, y_train = tf.convert_to_tensor(raw[:60], dtype=tf.float32), tf.convert_to_tensor(labels[:60])
x_test, y_test = tf.convert_to_tensor(raw[60:], dtype=tf.float32), tf.convert_to_tensor(labels[60:])


class Normalize(tf.Module):
    def __init__(self, x):
        self.mean = tf.Variable(tf.math.reduce_mean(x, axis=0))
        self.std = tf.Variable(tf.math.reduce_std(x, axis=0))

    def norm(self, x):
        return (x - self.mean) / self.std

    def unnorm(self, x):
        return (x * self.std) + self.mean


norm_x = Normalize(x_train)
x_train_norm, x_test_norm = norm_x.norm(x_train), norm_x.norm(x_test)
print(tf.reduce_max(tf.abs(norm_x.unnorm(x_train_norm) - x_train)).numpy() < 1e-4)


def log_loss(y_pred, y):
    ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=y_pred)
    return tf.reduce_mean(ce)


class LogisticRegression(tf.Module):
    def __init__(self):
        self.built = False

    def __call__(self, x, train=True):
        if not self.built:
            rand_w = tf.constant(random.uniform(size=[x.shape[-1], 1]), tf.float32)
            self.w = tf.Variable(rand_w)
            self.b = tf.Variable(tf.constant([0.1]))
            self.built = True
        z = tf.add(tf.matmul(x, self.w), self.b)
        z = tf.squeeze(z, axis=1)
        if train:
            return z
        return tf.sigmoid(z)


def predict_class(y_pred, thresh=0.5):
    return tf.cast(y_pred > thresh, tf.float32)


def accuracy(y_pred, y):
    y_pred = tf.math.sigmoid(y_pred)
    y_pred_class = predict_class(y_pred)
    check_equal = tf.cast(y_pred_class == y, tf.float32)
    return tf.reduce_mean(check_equal)


log_reg = LogisticRegression()
y_train, y_test = tf.cast(y_train, dtype=tf.float32), tf.cast(y_test, dtype=tf.float32)
for epoch in range(12):
    batch_losses = []
    for start in range(0, 60, 20):
        with tf.GradientTape() as tape:
            batch_loss = log_loss(log_reg(x_train_norm[start : start + 20]), y_train[start : start + 20])
        grads = tape.gradient(batch_loss, log_reg.variables)
        for g, v in zip(grads, log_reg.variables):
            v.assign_sub(0.5 * g)
        batch_losses.append(batch_loss)
    if epoch % 4 == 0:
        print(f"Epoch: {epoch}, Training log loss: {tf.reduce_mean(batch_losses):.3f}")
print(f"Test accuracy: {accuracy(log_reg(x_test_norm), y_test):.3f}")
predicted = tf.cast(predict_class(log_reg(x_test_norm, train=False)), tf.int32)
print(tf.math.confusion_matrix(tf.cast(y_test, tf.int32), predicted))
print([v.shape for v in log_reg.variables], log_reg.variables[1])
