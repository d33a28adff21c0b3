import tensorflow as tf

theta = tf.Variable(0.4)
tasks = [(1.0, 0.2), (2.0, 1.9), (0.5, 0.9)]

with tf.GradientTape() as tape:
    worst = 0.0
    for a, b in tasks:
        loss = tf.abs(a * theta - b)
        worst = max(worst, loss.numpy().item())
    objective = tf.multiply(worst, 2.0)

print("objective:", objective.numpy(), "grad:", tape.gradient(objective, theta))
