import tensorflow as tf

tf.random.set_seed(6)


class Reader(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([3, 2]))

    def __call__(self, x):
        hidden = tf.tanh(x @ self.w)
        return hidden


class Writer(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(tf.random.normal([3, 1]))

    def __call__(self, y, context):
        return y @ self.v


reader, writer = Reader(), Writer()
x, y, wanted = tf.random.normal([5, 3]), tf.random.normal([5, 3]), tf.random.normal([5, 1])
with tf.GradientTape() as tape:
    summary = reader(x)
    guess = writer(y, summary)
    loss = tf.reduce_mean((guess - wanted) ** 2)
print(tape.gradient(loss, [reader.w, writer.v])[0])
