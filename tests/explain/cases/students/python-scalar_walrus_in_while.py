import tensorflow as tf

w = tf.Variable(0.9)
x, penalty = 1.0, 0.0

with tf.GradientTape() as tape:
    while (value := float(w * x)) < 3.0:
        penalty += value * 0.1
        x += 1.0
    loss = tf.sqrt(tf.constant(penalty))

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w))
