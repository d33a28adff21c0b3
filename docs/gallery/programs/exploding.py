import tensorflow as tf

tf.random.set_seed(4)
x = tf.random.normal([32, 6])
y = tf.sin(tf.reduce_sum(x, axis=1, keepdims=True))
sizes = [[6, 12], [12, 12], [12, 12], [12, 1]]
layers = [
    tf.Variable(tf.random.normal(size, stddev=0.5), name=f"w{i}") for i, size in enumerate(sizes)
]
rate = 0.01
for step in range(24):
    with tf.GradientTape() as tape:
        h = x
        for w in layers[:-1]:
            h = tf.nn.leaky_relu(h @ w)
        loss = tf.reduce_mean((h @ layers[-1] - y) ** 2)
    gradients = tape.gradient(loss, layers)
    for w, g in zip(layers, gradients):
        w.assign_sub(rate * g)
    rate = 1.3 * rate
