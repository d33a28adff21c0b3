import tensorflow as tf

r = tf.Variable(3.9)
x0 = tf.Variable(0.3)
with tf.GradientTape() as tape:
    x = x0
    trajectory = []
    for _ in range(60):
        x = r * x * (1.0 - x)
        trajectory.append(x)
    miss = (trajectory[-1] - 0.5) ** 2
print(tape.gradient(miss, [r, x0]))
