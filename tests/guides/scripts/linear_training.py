"""The basic training loop: a line fitted by hand."""

import numpy as np
import tensorflow as tf

TRUE_W, TRUE_B, NUM_EXAMPLES = 3.0, 2.0, 201
random = np.random.default_rng(4)
x = tf.linspace(-2, 2, NUM_EXAMPLES)
x = tf.cast(x, tf.float32)


def f(x):
    return x * TRUE_W + TRUE_B


noise = tf.constant(random.normal(size=[NUM_EXAMPLES]), tf.float32)
y = f(x) + noise


class MyModel(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


model = MyModel()
print("Variables:", model.variables)
assert model(3.0).numpy() == 15.0


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


print("Untrained model loss: %1.6f" % loss(y, model(x)).numpy())


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


def report(model, loss):
    return f"W = {model.w.numpy():1.2f}, b = {model.b.numpy():1.2f}, loss={loss:2.5f}"


def training_loop(model, x, y):
    for epoch in range(10):
        train(model, x, y, learning_rate=0.1)
        current_loss = loss(y, model(x))
        print(f"Epoch {epoch:2d}:")
        print("    ", report(model, current_loss))


training_loop(model, x, y)


class PolyModel(tf.keras.Model):
    def __init__(self, degree, **kwargs):
        super().__init__(**kwargs)
        self.c = self.add_weight(shape=[degree + 1], initializer="zeros", name="c")
        self.powers = tf.range(degree + 1, dtype=tf.float32)

    def call(self, x):
        return tf.reduce_sum(self.c * x[:, tf.newaxis] ** self.powers, axis=1)


poly = PolyModel(2)
opt = tf.keras.optimizers.SGD(learning_rate=0.05)
for step in range(30):
    with tf.GradientTape() as tape:
        value = loss(y, poly(x))
    grads = tape.gradient(value, poly.trainable_variables)
    opt.apply_gradients(zip(grads, poly.trainable_variables))
print(poly.c.numpy(), float(value), int(opt.iterations))
