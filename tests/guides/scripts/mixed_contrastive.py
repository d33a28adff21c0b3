"""Contrastive losses, knowledge distillation, mixed batches, an exponential moving average."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(32)


def dense(n_in, n_out):
    return tf.Variable(random.normal(size=(n_in, n_out)).astype("float32") * 0.5)


student, teacher, ema = dense(4, 3), dense(4, 3), tf.Variable(tf.zeros([4, 3]), trainable=False)
x = tf.constant(random.normal(size=(6, 4)), tf.float32)
labels = tf.constant([0, 1, 2, 0, 1, 2])
temperature = 3.0
for step in range(3):
    with tf.GradientTape() as tape:
        soft = tf.nn.softmax(tf.stop_gradient(x @ teacher) / temperature)
        logits = x @ student
        hard_loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        log_student = tf.nn.log_softmax(logits / temperature)
        soft_loss = tf.reduce_mean(tf.reduce_sum(soft * (tf.math.log(soft) - log_student), axis=1)) * temperature**2
        loss = 0.3 * hard_loss + 0.7 * soft_loss
    gradient, none = tape.gradient(loss, [student, teacher])
    student.assign_sub(0.2 * gradient)
    ema.assign(0.9 * ema + 0.1 * student)
    print(step, float(loss), none)
print(ema.numpy().round(5))


def nt_xent(a, b, temperature=0.5):
    a, b = tf.math.l2_normalize(a, axis=1), tf.math.l2_normalize(b, axis=1)
    similarities = tf.matmul(a, b, transpose_b=True) / temperature
    targets = tf.range(tf.shape(a)[0])
    return tf.reduce_mean(
        tf.keras.losses.sparse_categorical_crossentropy(
            tf.concat([targets, targets], axis=0),
            tf.concat([similarities, tf.transpose(similarities)], axis=0), from_logits=True))


def triplet(anchor, positive, negative, margin=0.5):
    near = tf.reduce_sum(tf.square(anchor - positive), -1)
    far = tf.reduce_sum(tf.square(anchor - negative), -1)
    return tf.reduce_mean(tf.maximum(near - far + margin, 0.0))


with tf.GradientTape(persistent=True) as tape:
    z1, z2 = x @ student, (x + 0.1) @ student
    contrast = nt_xent(z1, z2)
    margin = triplet(z1[:2], z1[2:4], z1[4:])
print(contrast, tape.gradient(contrast, student), margin, tape.gradient(margin, student), sep="\n")

one_hot = tf.one_hot(labels, 3)
weight = tf.constant(random.beta(0.2, 0.2, size=(6, 1)), tf.float32)
order = tf.argsort(weight[:, 0], direction="DESCENDING")
mixed = weight * x + (1 - weight) * tf.gather(x, order)
mixed_labels = weight * one_hot + (1 - weight) * tf.gather(one_hot, order)
with tf.GradientTape() as tape:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=mixed_labels, logits=mixed @ student)
print(loss, tape.gradient(loss, student))
quantiles = tf.sort(tf.norm(z1, axis=1))
print(quantiles, tf.math.reduce_variance(z1), tf.math.segment_sum(x, tf.constant([0, 0, 1, 1, 2, 2])))
