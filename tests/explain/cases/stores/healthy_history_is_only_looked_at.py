import tensorflow as tf

w = tf.Variable([0.4, -0.3])
losses = tf.Variable(tf.zeros([10]), trainable=False)
xs = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]])
ys = tf.constant([1.0, 0.0, 0.3])

for step in range(10):
    with tf.GradientTape() as tape:
        guess = tf.linalg.matvec(xs, w)
        loss = tf.reduce_mean((guess - ys) ** 2)
        losses[step].assign(loss)
    w.assign_sub(0.05 * tape.gradient(loss, w))
print(losses.numpy(), tf.reduce_mean(losses).numpy())
