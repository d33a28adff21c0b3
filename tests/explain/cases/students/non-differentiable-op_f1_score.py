import tensorflow as tf


class F1:
    def __init__(self, threshold=0.5):
        self.threshold = threshold

    def __call__(self, truth, probability):
        guess = tf.cast(probability > self.threshold, tf.float32)
        hits = tf.reduce_sum(guess * truth)
        return 2.0 * hits / (tf.reduce_sum(guess) + tf.reduce_sum(truth))


w, b = tf.Variable([0.8, -0.4]), tf.Variable(0.1)
x = tf.constant([[1.0, 0.2], [0.4, 1.5], [2.0, 0.1]])
truth = tf.constant([1.0, 0.0, 1.0])
score = F1()
with tf.GradientTape() as tape:
    loss = 1.0 - score(truth, tf.sigmoid(tf.linalg.matvec(x, w) + b))
print(loss.numpy(), tape.gradient(loss, [w, b]))
