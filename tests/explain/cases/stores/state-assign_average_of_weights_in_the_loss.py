import tensorflow as tf


class Averaged(tf.Module):
    def __init__(self, shape, decay=0.9):
        super().__init__()
        self.live = tf.Variable(tf.ones(shape), name="live")
        self.mean = tf.Variable(tf.zeros(shape), name="mean", trainable=False)
        self.decay = decay

    def update(self):
        self.mean.assign(self.decay * self.mean + (1.0 - self.decay) * self.live)

    def __call__(self, x):
        return tf.tensordot(x, self.mean, 1)


model = Averaged((3,))
x = tf.constant([[1.0, 0.2, 0.1], [0.3, 0.8, 0.5]])
y = tf.constant([1.0, 0.0])
for step in range(2):
    with tf.GradientTape() as tape:
        model.update()
        loss = tf.reduce_sum((model(x) - y) ** 2)
    grad = tape.gradient(loss, model.live)
    print(step, float(loss), grad)
