import tensorflow as tf

w = tf.Variable(0.5)
parts = []
for x in [1.0, 2.0, 3.0]:
    with tf.GradientTape() as tape:
        part = (w * x - 1.0) ** 2
    parts.append(part)
loss = tf.add_n(parts)
print(tape.gradient(loss, w))
