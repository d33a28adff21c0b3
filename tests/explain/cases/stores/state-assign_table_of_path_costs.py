import tensorflow as tf

steps = tf.Variable([[1.0, 3.0, 1.0], [1.5, 1.0, 1.0], [4.0, 2.0, 1.0]])
costs = tf.Variable(tf.zeros([3, 3]), trainable=False)

with tf.GradientTape() as tape:
    for i in range(3):
        for j in range(3):
            here = steps[i, j]
            if i and j:
                here += tf.minimum(costs[i - 1, j], costs[i, j - 1])
            elif i:
                here += costs[i - 1, j]
            elif j:
                here += costs[i, j - 1]
            costs[i, j].assign(here)
    cheapest = costs[2, 2] + 0.0

grads = tape.gradient(cheapest, steps)
print(cheapest.numpy(), grads)
