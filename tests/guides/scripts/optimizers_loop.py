"""One problem, many optimizers and schedules; gradients transformed between tape and step."""

import numpy as np
import tensorflow as tf

schedules = tf.keras.optimizers.schedules
choices = {
    "sgd": lambda: tf.keras.optimizers.SGD(0.1),
    "momentum": lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9),
    "nesterov": lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    "adagrad": lambda: tf.keras.optimizers.Adagrad(0.1),
    "rmsprop": lambda: tf.keras.optimizers.RMSprop(0.1),
    "centered": lambda: tf.keras.optimizers.RMSprop(0.1, momentum=0.5, centered=True),
    "adam": lambda: tf.keras.optimizers.Adam(0.1),
    "amsgrad": lambda: tf.keras.optimizers.Adam(0.1, amsgrad=True),
    "adamw": lambda: tf.keras.optimizers.AdamW(0.1, weight_decay=0.05),
    "clipvalue": lambda: tf.keras.optimizers.SGD(0.1, clipvalue=0.5),
    "clipnorm": lambda: tf.keras.optimizers.SGD(0.1, clipnorm=1.0),
    "global": lambda: tf.keras.optimizers.SGD(0.1, global_clipnorm=1.0),
    "exponential": lambda: tf.keras.optimizers.SGD(schedules.ExponentialDecay(0.1, 2, 0.5)),
    "staircase": lambda: tf.keras.optimizers.SGD(schedules.ExponentialDecay(0.1, 2, 0.5, staircase=True)),
    "cosine": lambda: tf.keras.optimizers.Adam(schedules.CosineDecay(0.1, 5)),
    "polynomial": lambda: tf.keras.optimizers.Adam(schedules.PolynomialDecay(0.1, 5, 0.01)),
    "inverse": lambda: tf.keras.optimizers.Adam(schedules.InverseTimeDecay(0.1, 1, 0.5)),
}
for name, make in choices.items():
    optimizer = make()
    x = tf.Variable([3.0, -2.0])
    b = tf.Variable(1.0)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.constant([1.0, 3.0]) * x**2) + b**2
        optimizer.apply_gradients(zip(tape.gradient(loss, [x, b]), [x, b]))
    print(f"{name:12}", x.numpy(), b.numpy(), int(optimizer.iterations))

optimizer = tf.keras.optimizers.SGD(learning_rate=0.5)
unused = tf.Variable(7.0)
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = x**2
grads = tape.gradient(loss, [x, unused])
print([None if g is None else float(g) for g in grads])
optimizer.apply_gradients((g, v) for g, v in zip(grads, [x, unused]) if g is not None)
print(float(x), float(unused))
optimizer.learning_rate = 0.25
with tf.GradientTape() as tape:
    loss = x**2 + 2.0
optimizer.apply_gradients([(tape.gradient(loss, x), x)])
print(float(x), float(optimizer.learning_rate))
optimizer.learning_rate.assign(0.125)
print(optimizer.learning_rate.numpy())
accumulated = [tf.zeros_like(v) for v in [x]]
for part in (1.0, 2.0):
    with tf.GradientTape() as tape:
        loss = part * x**2
    accumulated = [a + g / 2 for a, g in zip(accumulated, tape.gradient(loss, [x]))]
print(accumulated)
