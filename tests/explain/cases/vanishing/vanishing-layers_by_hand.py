import tensorflow as tf

tf.random.set_seed(3)
SIZES = [8, 20, 20, 20, 20, 20, 20, 20, 1]

weights, biases = [], []
for n_in, n_out in zip(SIZES[:-1], SIZES[1:]):
    weights.append(tf.Variable(tf.random.normal([n_in, n_out], stddev=n_in**-0.5)))
    biases.append(tf.Variable(tf.zeros([n_out])))


def forward(x):
    h = x
    for w, b in zip(weights[:-1], biases[:-1]):
        h = tf.sigmoid(h @ w + b)
    return h @ weights[-1] + biases[-1]


x = tf.random.normal([100, 8])
y = tf.sin(x[:, :1])
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((forward(x) - y) ** 2)
    grads = tape.gradient(loss, weights + biases)
    for v, g in zip(weights + biases, grads):
        v.assign_sub(0.5 * g)
