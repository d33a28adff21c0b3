import tensorflow as tf

tf.random.set_seed(4)
depth = 2
weights = [tf.Variable(tf.random.normal([3, 3])) for _ in range(depth)]
head = tf.Variable(tf.random.normal([3, 1]))


def forward(x, first=2):
    for w in weights[first:]:
        x = tf.tanh(x @ w)
    return x @ head


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(forward(tf.ones([2, 3])) ** 2)
print(tape.gradient(loss, [*weights, head]))
