import tensorflow as tf


def make_scorer(weight):
    level = float(tf.sigmoid(weight))

    def score(x):
        return tf.reduce_sum(x * level)

    return score


weight = tf.Variable(0.3)
data = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    scorer = make_scorer(weight)
    total = scorer(data) + scorer(2.0 * data)

print("total:", total.numpy(), "grad:", tape.gradient(total, weight))
