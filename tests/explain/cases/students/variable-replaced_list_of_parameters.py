import tensorflow as tf

params = [tf.Variable(0.1), tf.Variable(-0.3), tf.Variable(0.2)]
t = tf.linspace(0.0, 1.0, 5)
target = tf.exp(t)

for turn in range(2):
    with tf.GradientTape() as tape:
        poly = params[0] + params[1] * t + params[2] * t * t
        loss = tf.reduce_mean((poly - target) ** 2)
    grads = tape.gradient(loss, params)
    params = [p - 0.1 * g for p, g in zip(params, grads)]
    print("turn", turn, "loss", loss.numpy())
