import tensorflow as tf

area = tf.constant([1200.0, 2500.0, 1800.0])
sold = tf.constant([0.0, 1.0, 1.0])
w = tf.Variable(0.9)
b = tf.Variable(0.0)

with tf.GradientTape() as tape:
    chance = tf.sigmoid(w * area + b)
    loss = tf.reduce_mean((chance - sold) ** 2)

print("loss:", loss.numpy(), [g.numpy() for g in tape.gradient(loss, [w, b])])
