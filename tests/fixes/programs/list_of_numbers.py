import tensorflow as tf

w = tf.Variable(0.5)
losses = []
with tf.GradientTape() as tape:
    for x in [1.0, 2.0]:
        losses.append(float((w * x - 1.0) ** 2))
    loss = tf.reduce_mean(tf.constant(losses))
print(tape.gradient(loss, w))
