import tensorflow as tf

w = tf.Variable([1.0, -2.0])
scale = tf.Variable(1.0, trainable=False)
x = tf.constant([[3.0, 1.0], [0.5, 4.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        out = tf.linalg.matvec(x, w)
        size = tf.reduce_mean(tf.abs(tf.stop_gradient(out)))
        scale.assign(0.9 * scale + 0.1 * size)
        loss = tf.reduce_mean(tf.square(out / scale - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
