import tensorflow as tf

w = tf.Variable(0.7)
total = tf.Variable(0.0, name="total")

with tf.GradientTape() as tape:
    total.assign(0.0)
    for x, y in [(1.0, 1.0), (2.0, 1.5)]:
        total.assign_add((w * x - y) ** 2)
    loss = total / 2.0

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w))
