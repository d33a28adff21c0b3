import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

from reversal_parts.layers import GradientReversal, ramp

tf.keras.utils.set_random_seed(180)
rng = np.random.default_rng(180)


class DANN:
    """Features that tell the class and do not tell the domain (Ganin et al.)."""

    def __init__(self, inputs, width):
        self.extractor = tf.keras.Sequential(
            [tf.keras.Input((inputs,)), layers.Dense(width, activation="tanh")]
        )
        self.classifier = layers.Dense(2)
        self.reversal = GradientReversal()
        self.discriminator = layers.Dense(1)
        self.classifier.build((None, width))
        self.discriminator.build((None, width))

    def class_logits(self, x):
        return self.classifier(self.extractor(x))

    def domain_logits(self, x):
        return self.discriminator(self.reversal(self.extractor(x)))[:, 0]


def bce(labels, logits):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))


def domains(count):
    x = rng.normal(size=(2 * count, 5)).astype("float32")
    x[count:] += np.array([0.0, 0.0, 1.0, 0.0, 0.5], "float32")
    y = (x[:count, 0] > 0).astype("int32")
    return x, y, np.repeat([0.0, 1.0], count).astype("float32")


model = DANN(inputs=5, width=8)
optimizer = tf.keras.optimizers.Adam(0.01)
x, y, domain = domains(30)
for epoch in range(3):
    model.reversal.strength = ramp(epoch / 3)
    extractor = model.extractor.trainable_variables
    with tf.GradientTape() as label_tape, tf.GradientTape() as domain_tape:
        label_loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(y, model.class_logits(x[:30]))
        )
        domain_loss = bce(domain, model.domain_logits(x))
    label_grads = label_tape.gradient(label_loss, extractor + model.classifier.trainable_variables)
    rivals = extractor + model.discriminator.trainable_variables
    domain_grads = domain_tape.gradient(domain_loss, rivals)
    shared = [a + b for a, b in zip(label_grads[:2], domain_grads[:2])]
    heads = label_grads[2:] + domain_grads[2:]
    variables = extractor + model.classifier.trainable_variables
    variables = variables + model.discriminator.trainable_variables
    optimizer.apply_gradients(zip(shared + heads, variables))
    print(epoch, float(label_loss), float(domain_loss))
