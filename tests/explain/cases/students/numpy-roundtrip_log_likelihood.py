import numpy as np
import tensorflow as tf

logits = tf.Variable([[0.2, 1.0, -0.3], [0.7, 0.1, 0.4]])
labels = [1, 0]

with tf.GradientTape() as tape:
    p = tf.nn.softmax(logits)
    picked = [p[i, label] for i, label in enumerate(labels)]
    surprise = [-np.log(q) for q in picked]
    loss = tf.add_n([tf.convert_to_tensor(s) for s in surprise])

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, logits))
