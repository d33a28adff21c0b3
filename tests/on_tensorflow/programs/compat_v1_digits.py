"""A network of TensorFlow 1 brought to TensorFlow 2: sessions and placeholders are gone, the rest was kept."""

import numpy as np
import tensorflow.compat.v1 as tf

SEED = 13
SIDE, CLASSES, HIDDEN = 5, 3, 8
RATE = 0.3


def make_digits(count):
    """Three patterns of 5 x 5 pixels: a bar that stands, one that lies, and a diagonal; in noise."""
    rng = np.random.RandomState(SEED)
    patterns = np.zeros((CLASSES, SIDE, SIDE))
    patterns[0, :, 2] = 1.0
    patterns[1, 2, :] = 1.0
    patterns[2] = np.eye(SIDE)
    labels = rng.randint(0, CLASSES, count)
    images = patterns[labels] + rng.normal(0.0, 0.3, (count, SIDE, SIDE))
    return images.reshape(count, -1).astype("float32"), labels


def dense(x, units, name):
    """x . w + b, and the two variables."""
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        start = tf.glorot_uniform_initializer(seed=SEED)
        w = tf.get_variable("w", [int(x.shape[1]), units], initializer=start)
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    return tf.matmul(x, w) + b, [w, b]


def network(images):
    h, of_hidden = dense(images, HIDDEN, "hidden")
    logits, of_out = dense(tf.nn.tanh(h), CLASSES, "out")
    return logits, of_hidden + of_out


class Trainer(object):
    def __init__(self, images, labels):
        self.images = tf.constant(images)
        self.labels = tf.one_hot(labels, CLASSES)
        # once through the network, so that there are variables
        _, self.variables = network(self.images)
        self.temperature = tf.get_variable("temperature", initializer=2.0)
        self.optimizer = tf.train.GradientDescentOptimizer(RATE)
        self.global_step = tf.train.get_or_create_global_step()

    def loss(self):
        logits, _ = network(self.images)
        entropy = tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=self.labels, logits=logits / self.temperature
        )
        return tf.reduce_mean(entropy)

    def step(self):
        pairs = self.optimizer.compute_gradients(
            self.loss, var_list=self.variables + [self.temperature]
        )
        self.optimizer.apply_gradients(pairs, global_step=self.global_step)
        return pairs

    def accuracy(self):
        logits, _ = network(self.images)
        hits = tf.equal(tf.argmax(logits, 1), tf.argmax(self.labels, 1))
        return tf.reduce_mean(tf.to_float(hits))


def main():
    tf.set_random_seed(SEED)
    trainer = Trainer(*make_digits(40))
    for step in range(6):
        loss = trainer.loss()
        pairs = trainer.step()
        print("step %d: loss %.3f" % (step, loss))
    for gradient, variable in pairs:
        print("%-14s %s" % (variable.name, "no gradient" if gradient is None else "ok"))
    print("after %d steps accuracy %.2f" % (trainer.global_step, trainer.accuracy()))


if __name__ == "__main__":
    main()
