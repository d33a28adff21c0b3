import tensorflow as tf

params = {"kernel": tf.Variable([1.5, -2.0]), "bias": tf.Variable(0.3)}
x, y = tf.constant([[1.0, 2.0], [0.0, 1.0]]), tf.constant([1.0, -1.0])
decay = 0.01

for _ in range(2):
    with tf.GradientTape() as tape:
        fit = tf.reduce_mean((tf.linalg.matvec(x, params["kernel"]) + params["bias"] - y) ** 2)
        penalty = decay * sum(tf.nn.l2_loss(v) for n, v in params.items() if n != "bias")
        loss = fit + penalty
    grads = tape.gradient(loss, params)
    for name in params:
        params[name].assign_sub(0.1 * grads[name])
print({name: v.numpy().tolist() for name, v in params.items()})
