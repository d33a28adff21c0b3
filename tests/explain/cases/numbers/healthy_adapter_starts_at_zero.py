import tensorflow as tf

tf.random.set_seed(3)


class Adapter:
    """A frozen layer, and a change of low rank that begins at nothing."""

    def __init__(self, size, rank):
        self.frozen = tf.random.normal([size, size])
        self.down = tf.Variable(tf.random.normal([size, rank], stddev=0.5), name="down")
        self.up = tf.Variable(tf.zeros([rank, size]), name="up")

    def __call__(self, x):
        return x @ self.frozen + (x @ self.down) @ self.up


adapter = Adapter(4, 2)
x = tf.random.normal([8, 4])
wanted = tf.random.normal([8, 4])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((adapter(x) - wanted) ** 2)
grads = tape.gradient(loss, [adapter.down, adapter.up])
print("before training:", [float(tf.norm(g)) for g in grads])

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((adapter(x) - wanted) ** 2)
    grads = tape.gradient(loss, [adapter.down, adapter.up])
    for variable, grad in zip([adapter.down, adapter.up], grads):
        variable.assign_sub(0.1 * grad)
    print(step, float(loss))
