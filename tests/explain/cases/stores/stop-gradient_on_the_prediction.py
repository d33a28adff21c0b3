import tensorflow as tf

online = tf.Variable([[0.2, 0.1], [0.4, -0.3]], name="online")
frozen = tf.Variable([[0.3, 0.0], [0.5, -0.1]], name="frozen")
s = tf.constant([[1.0, 2.0]])
s2 = tf.constant([[0.5, 1.0]])

for step in range(3):
    with tf.GradientTape() as tape:
        q = tf.reduce_max(tf.matmul(s, online), axis=1)
        goal = 0.5 + 0.9 * tf.reduce_max(tf.matmul(s2, frozen), axis=1)
        loss = tf.reduce_mean((goal - tf.stop_gradient(q)) ** 2)
    g = tape.gradient(loss, online)
    if g is not None:
        online.assign_sub(0.1 * g)
print(online.numpy())
