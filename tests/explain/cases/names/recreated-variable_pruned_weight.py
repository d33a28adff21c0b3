import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
dense = {"w": tf.Variable(rng.normal(size=(3, 2)).astype("float32"), name="w")}
dense["b"] = tf.Variable(tf.zeros(2), name="b")
parameters = list(dense.values())
x = rng.normal(size=(6, 3)).astype("float32")
y = rng.normal(size=(6, 2)).astype("float32")


def prune(layer, share):
    w = layer["w"].numpy()
    w[np.abs(w) < np.quantile(np.abs(w), share)] = 0.0
    layer["w"] = tf.Variable(w, name="w")


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ dense["w"] + dense["b"] - y) ** 2)
    grads = tape.gradient(loss, parameters)
    for parameter, grad in zip(parameters, grads):
        if grad is not None:
            parameter.assign_sub(0.1 * grad)
    return float(loss)


print(step())
prune(dense, 0.5)
print(step())
