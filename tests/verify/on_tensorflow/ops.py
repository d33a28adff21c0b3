"""Runs the ops that TensorFlow declares differently from minitape; `record.py` stores the trace."""

import numpy as np
import tensorflow as tf

x = tf.Variable([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
w = tf.Variable([[1.0, 2.0], [3.0, -4.0], [0.5, 6.0]])
b = tf.Variable([0.1, -0.2])
table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
picture = tf.Variable(np.arange(16.0, dtype=np.float32).reshape(1, 4, 4, 1) / 8.0)
filters = tf.Variable(np.arange(4.0, dtype=np.float32).reshape(2, 2, 1, 1) - 1.5)
z = tf.Variable(tf.constant([1.0 + 2.0j, 3.0 - 1.0j], tf.complex64))


def along_axes():
    yield tf.reduce_sum(x, axis=1, keepdims=True)
    yield tf.reduce_mean(x) * tf.reduce_prod(x, axis=[0]) + tf.reduce_max(x) - tf.reduce_min(x, 0)
    yield tf.cumsum(x, axis=1, reverse=True) * tf.math.cumprod(x, exclusive=True)
    yield tf.reverse(x, [1]) * tf.roll(x, 1, axis=1)
    yield tf.math.top_k(x, 2).values * tf.cast(tf.argmax(x, axis=0)[:2], tf.float32)


def shapes():
    yield tf.reshape(x, [3, -1]) * tf.transpose(tf.reshape(x, [2, 3]))
    yield tf.squeeze(tf.expand_dims(x, -1), [-1]) + tf.broadcast_to(x[0], [2, 3])
    yield tf.tile(b, [2]) * tf.fill([4], b[1]) + tf.cast(tf.size(x), tf.float32)
    yield tf.pad(x, [[0, 1], [1, 0]], constant_values=2.0) ** 2


def joining():
    one, two = tf.unstack(x)
    yield tf.stack([one, two * two], axis=1)
    yield tf.concat([x, 2.0 * x], axis=0) * tf.concat(tf.split(tf.tile(x, [2, 1]), 2, axis=0), 0)
    yield x[0, 1:] * x[..., -1] + x[:, tf.newaxis, ::2][:, 0] * tf.slice(x, [0, 1], [2, -1])
    yield tf.gather(w, [0, 2], axis=0) * tf.one_hot([1, 0], 2, 3.0)
    yield tf.where(x > 0.0, x, x * x) * tf.clip_by_value(x, -0.9, 1.0)
    yield tf.math.unsorted_segment_sum(x, tf.constant([1, 1]), 2)
    yield tf.math.segment_sum(x, tf.constant([0, 0]))
    yield tf.scatter_nd([[3], [1]], x, [5, 3])


def layers():
    logits = tf.nn.bias_add(tf.matmul(x, w), b)
    yield tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0.0], [0.3, 0.7]], logits=logits)
    yield tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=logits)
    yield tf.nn.leaky_relu(tf.matmul(w, x, transpose_a=True, transpose_b=True))
    yield tf.sigmoid(logits) * tf.tanh(logits) + tf.nn.softplus(logits) * tf.nn.relu(logits)
    yield tf.nn.conv2d(picture, filters, strides=1, padding="SAME")
    yield tf.nn.conv2d_transpose(picture, filters, [1, 8, 8, 1], 2)
    yield tf.nn.max_pool2d(picture * picture, 2, 2, "VALID") + tf.nn.avg_pool2d(
        picture, 2, 2, "SAME"
    )


def others():
    yield tf.linalg.band_part(tf.matmul(w, w, transpose_a=True), -1, 0)
    yield tf.linalg.triangular_solve([[2.0, 0.0], [1.0, 4.0]], x)
    yield tf.linalg.diag(x[0]) @ w + tf.linalg.diag_part(tf.matmul(w, x))[:, None]
    yield tf.cast(tf.bitcast(x, tf.int32) > tf.int32.min, tf.float32) * x
    yield z * z * tf.math.conj(z)
    yield tf.matmul(tf.stack([x, x]), tf.stack([w, -w]))
    yield tf.range(2.0, 5.0) * x * tf.sqrt(tf.abs(x))
    yield tf.add_n([x, x, 2.0 * x]) / (1.0 + tf.exp(-x)) + tf.math.rsqrt(1.0 + x * x)


for group in (along_axes, shapes, joining, layers, others):
    sources = [x, w, b, picture, filters, z]
    with tf.GradientTape(persistent=True) as tape:
        results = list(group())
    for result in results:
        tape.gradient(result, sources)
    del tape

with tf.GradientTape() as outer:
    outer.watch(one := tf.constant([0.5, 1.5]))
    with tf.GradientTape() as inner:
        inner.watch(one)
        y = tf.tanh(one) * tf.sigmoid(one) / tf.sqrt(one) * one[1:] * one[0]
    derivative = inner.gradient(y, one, output_gradients=tf.constant([1.0, 2.0]))
outer.gradient(derivative, one)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(tf.gather(table, [2, 0, 2]) ** 3) * tf.reduce_sum(tf.gather(table, [1]))
    rows = inner.gradient(y, table)
    length = tf.reduce_sum(tf.convert_to_tensor(rows) ** 2)
outer.gradient(length, table)
