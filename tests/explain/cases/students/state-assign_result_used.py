import tensorflow as tf

inflow = tf.Variable(0.5)
tank = tf.Variable(1.0)

with tf.GradientTape() as tape:
    for _ in range(3):
        level = tank.assign(0.9 * tank + inflow)
    overflow = tf.nn.relu(level - 1.0) ** 2

print("level:", tank.numpy(), "grad:", tape.gradient(overflow, inflow))
