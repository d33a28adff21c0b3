import tensorflow as tf

w, b = tf.Variable([1.0, -1.0]), tf.Variable(0.1)
x = tf.constant([[1.0, 0.2], [0.4, 0.9]])
truth = tf.constant([1.0, 1.0])

with tf.GradientTape() as tape:
    score = tf.linalg.matvec(x, w) + b
    label = tf.where(score > 0.0, 1.0, 0.0)
    mistakes = tf.reduce_sum(tf.abs(label - truth))

print("mistakes:", mistakes.numpy(), tape.gradient(mistakes, (w, b)))
