import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0])
w = tf.Variable(2e6)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - 4e6) ** 2)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    print(step, float(loss))
