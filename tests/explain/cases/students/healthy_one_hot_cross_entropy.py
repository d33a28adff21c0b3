import tensorflow as tf


class Classifier(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[0.2, -0.1, 0.0], [0.1, 0.3, -0.2]])
        self.b = tf.Variable([0.0, 0.0, 0.0])

    def __call__(self, x):
        return tf.nn.softmax(tf.matmul(x, self.w) + self.b)


model = Classifier()
labels = tf.constant([2, 0])
with tf.GradientTape() as tape:
    p = model(tf.constant([[1.0, 0.5], [-1.0, 2.0]]))
    truth = tf.one_hot(labels, depth=3)
    loss = -tf.reduce_mean(tf.reduce_sum(truth * tf.math.log(p + 1e-7), axis=1))
    right = int(tf.math.count_nonzero(tf.argmax(p, axis=1, output_type=tf.int32) == labels))

print("loss:", loss.numpy(), "right:", right, len(tape.gradient(loss, model.trainable_variables)))
