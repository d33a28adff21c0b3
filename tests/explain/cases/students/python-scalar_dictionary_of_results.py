import tensorflow as tf

w = tf.Variable([0.4, 0.2])
results = {}


def evaluate(name, x, y):
    error = tf.abs(tf.reduce_sum(w * x) - y)
    results[name] = float(error)


with tf.GradientTape() as tape:
    evaluate("train", [1.0, 2.0], 1.0)
    evaluate("test", [2.0, 0.5], 0.3)
    loss = tf.constant([results["train"], results["test"]])
    total = tf.reduce_sum(loss * [0.7, 0.3])

print(results, tape.gradient(total, w))
