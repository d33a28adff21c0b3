import tensorflow as tf

x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x**3 - 2.0 * x
    rounds = int(y) % 3 + 1
    for _ in range(rounds):
        y = y * 0.5 + x
print(rounds, tape.gradient(y, x))
