import tensorflow as tf

w = tf.Variable([0.6, -1.1])
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
for turn in range(2):
    anchor = tf.Variable(w, trainable=False)
    for step in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - 1.0) ** 2)
            loss += 0.1 * tf.reduce_sum((w - anchor) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
