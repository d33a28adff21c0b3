import numpy as np
import tensorflow as tf

labels = np.array([0, 1, 1, 2, 1], dtype=np.int32)
counts = np.bincount(labels, minlength=3)
weights = (len(labels) / (3.0 * counts)).astype(np.float32)
x = tf.constant([[1.0, 0.2], [0.1, 1.0], [0.3, 0.8], [-1.0, -1.0], [0.0, 0.9]])
kernel = tf.Variable(tf.zeros([2, 3]))

with tf.GradientTape() as tape:
    logits = tf.matmul(x, kernel)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(tf.gather(weights, labels) * each)
    confusion = np.zeros((3, 3), dtype=int)
    for truth, guess in zip(labels, np.argmax(logits.numpy(), axis=1)):
        confusion[truth, guess] += 1

print("loss:", loss.numpy(), confusion.tolist(), tape.gradient(loss, kernel).numpy())
