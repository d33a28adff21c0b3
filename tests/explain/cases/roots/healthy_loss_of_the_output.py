import tensorflow as tf

tf.random.set_seed(0)


class Cell(tf.Module):
    def __init__(self, units):
        self.wx = tf.Variable(tf.random.normal([3, units], stddev=0.3), name="wx")
        self.wh = tf.Variable(tf.random.normal([units, units], stddev=0.3), name="wh")
        self.wo = tf.Variable(tf.random.normal([units, 2], stddev=0.3), name="wo")

    def __call__(self, x, h):
        h = tf.tanh(x @ self.wx + h @ self.wh)
        out = h @ self.wo
        return h, out


cell = Cell(4)
x = tf.random.normal([5, 2, 3])
y = tf.ones([2, 2])
with tf.GradientTape() as tape:
    h = tf.zeros([2, 4])
    for t in range(5):
        h, out = cell(x[t], h)
    loss = tf.reduce_mean((out - y) ** 2)
grads = tape.gradient(loss, cell.trainable_variables)
print([g is None for g in grads])
