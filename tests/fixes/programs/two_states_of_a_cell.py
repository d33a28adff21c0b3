import tensorflow as tf

tf.keras.utils.set_random_seed(0)


class Recurrent(tf.Module):
    def __init__(self):
        self.cell = tf.keras.layers.LSTMCell(4)
        self.h = tf.Variable(tf.zeros((2, 4)), trainable=False)
        self.c = tf.Variable(tf.zeros((2, 4)), trainable=False)

    def step(self, x):
        out, (h, c) = self.cell(x, [self.h, self.c])
        self.h.assign(h)
        self.c.assign(c)
        return out


net = Recurrent()
x = tf.ones((2, 3))
scale = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = 0.0
    for _ in range(3):
        loss += tf.reduce_mean(net.step(x * scale))
print(tape.gradient(loss, scale))
