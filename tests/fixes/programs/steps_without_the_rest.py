import tensorflow as tf

w = tf.Variable(0.5)
size, data = 4, [1.0, 2.0, 3.0]
with tf.GradientTape() as tape:
    loss = tf.constant(0.0)
    for i in range(len(data) // size):
        loss += tf.reduce_sum(w * tf.constant(data[i * size : (i + 1) * size]))
print(tape.gradient(loss, w))
