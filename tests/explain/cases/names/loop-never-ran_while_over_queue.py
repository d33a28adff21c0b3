import tensorflow as tf

gain = tf.Variable(1.5)
pending = [0.5, 1.0, 2.0]
limit = 3

with tf.GradientTape() as tape:
    cost = tf.constant(1.0)
    while len(pending) > limit:
        cost = cost + gain * pending.pop()
print(tape.gradient(cost, gain))
