import tensorflow as tf

tf.keras.utils.set_random_seed(1)
trunk = tf.Variable(tf.random.normal([3, 4], stddev=0.5))
heads = [tf.Variable(tf.random.normal([4, 1], stddev=0.5)) for _ in range(2)]
x = tf.random.normal([8, 3])
wanted = [tf.random.normal([8, 1]), tf.random.normal([8, 1])]
weights = [trunk, *heads]

for step in range(3):
    losses = []
    with tf.GradientTape(persistent=True) as tape:
        h = tf.tanh(tf.matmul(x, trunk))
        for head, y in zip(heads, wanted):
            out = tf.matmul(h, head)
            loss = tf.reduce_mean((out - y) ** 2)
            losses.append(loss)
    for loss in losses:
        grads = tape.gradient(loss, weights, unconnected_gradients="zero")
        for w, g in zip(weights, grads):
            w.assign_sub(0.02 * g)
print(float(losses[0]), float(losses[1]))
