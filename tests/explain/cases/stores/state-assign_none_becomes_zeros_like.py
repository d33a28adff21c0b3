import tensorflow as tf

w = tf.Variable([[0.2, -0.4], [0.1, 0.3]], name="w")
b = tf.Variable([0.1, 0.1], name="b")
hidden = tf.Variable([[0.0, 0.0]], trainable=False, name="hidden")
x = tf.constant([[1.0, 2.0]])

with tf.GradientTape() as tape:
    hidden.assign(tf.matmul(x, w))
    out = tf.tanh(hidden + b)
    loss = tf.reduce_sum((out - 0.5) ** 2)

grads = tape.gradient(loss, [w, b])
grads = [g if g is not None else tf.zeros_like(v) for v, g in zip([w, b], grads)]
for v, g in zip([w, b], grads):
    v.assign_sub(0.1 * g)
print(w.numpy(), b.numpy())
