import tensorflow as tf

tf.random.set_seed(14)
N = 30
layers = [tf.Variable(tf.random.normal([N, N])) for _ in range(7)]
x = tf.random.normal([20, N])
y = tf.random.normal([20, N])

with tf.GradientTape() as tape:
    h = x
    for w in layers:
        h = tf.nn.relu(h @ w)
    loss = tf.reduce_mean(tf.abs(h - y))
grads = tape.gradient(loss, layers)
print([f"{float(tf.norm(g)):.1e}" for g in grads])
