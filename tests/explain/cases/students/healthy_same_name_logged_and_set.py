import tensorflow as tf

w = tf.Variable([0.3, 0.6])
x = tf.constant([2.0, 1.0])
scale = 0.0

for epoch in range(3):
    scale = 1.0 / (epoch + 1)
    with tf.GradientTape() as tape:
        out = tf.reduce_sum(w * x) * scale
        loss = (out - 1.0) ** 2
        value = float(loss)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    value = epoch * 0.5
    with tf.GradientTape() as tape:
        shifted = tf.reduce_sum(w * value + w)
    print(epoch, value, tape.gradient(shifted, w).numpy())
