import tensorflow as tf

tf.random.set_seed(3)
x = tf.random.normal((6, 2))
y = tf.constant([0.2, 0.1, 60.0, 0.3, 0.2, 0.1])  # one measurement is wrong
mean, spread = tf.Variable([0.1, 0.2]), tf.Variable(0.3)
for _ in range(2):
    with tf.GradientTape() as tape:
        center = tf.linalg.matvec(x, mean)
        width = tf.exp(tf.clip_by_value(spread + 0.1 * center, -2.0, 2.0))
        density = tf.exp(-0.5 * ((y - center) / width) ** 2) / width
        loss = -tf.reduce_mean(tf.math.log(density))
    gradients = tape.gradient(loss, [mean, spread])
    mean.assign_sub(0.1 * gradients[0])
    spread.assign_sub(0.1 * gradients[1])
