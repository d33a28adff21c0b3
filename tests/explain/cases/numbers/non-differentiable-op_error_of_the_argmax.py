import tensorflow as tf

tf.random.set_seed(4)
images = tf.random.normal([10, 6])
digits = tf.constant([0, 1, 2, 0, 1, 2, 0, 1, 2, 0], tf.int64)
kernel = tf.Variable(tf.random.normal([6, 3]))


class ErrorRate:
    def __call__(self, digits, scores):
        guesses = tf.argmax(scores, axis=1)
        wrong = tf.cast(guesses != digits, tf.float32)
        return tf.reduce_mean(wrong)


error_rate = ErrorRate()
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = error_rate(digits, images @ kernel)
    grad = tape.gradient(loss, kernel)
    print(epoch, float(loss), grad)
