import numpy as np
import tensorflow as tf

from tagging_parts import metrics, model as networks

tf.keras.utils.set_random_seed(44)


def data(count, labels):
    rng = np.random.default_rng(44)
    x = rng.normal(size=(count, 7)).astype("float32")
    mixing = rng.normal(size=(7, labels))
    return x, (x @ mixing > 0.8).astype("float32")


class Objective:
    """Cross-entropy for the first epochs, the score itself afterwards."""

    def __init__(self, switch_at):
        self.switch_at = switch_at
        self.epoch = 0

    def __call__(self, y, logits):
        if self.epoch < self.switch_at:
            return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
        return 1.0 - metrics.macro_f1(y, tf.sigmoid(logits))


x, y = data(60, labels=3)
tagger = networks.build(3)
objective = Objective(switch_at=2)
optimizer = tf.keras.optimizers.Adam(0.02)

for epoch in range(4):
    objective.epoch = epoch
    with tf.GradientTape(persistent=True) as tape:
        logits = tagger(x, training=True)
        loss = objective(y, logits)
        mismatch = metrics.hamming(y, tf.sigmoid(logits))
    if epoch < 2:
        grads = tape.gradient(loss, tagger.trainable_variables)
    else:
        grads = tape.gradient(loss, tagger.trainable_variables)
    if epoch == 3:
        influence = tape.gradient(mismatch, tagger.trainable_variables)
        print("influence on the error count", influence[0])
    found = [(g, v) for g, v in zip(grads, tagger.trainable_variables) if g is not None]
    if found:
        optimizer.apply_gradients(found)
    print(epoch, float(loss), float(mismatch))
