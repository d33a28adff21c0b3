import tensorflow as tf


def fill_tank(inflow, hours):
    level = 0.0
    for _ in range(hours):
        level = 0.8 * level + inflow
    return level


inflow = tf.convert_to_tensor(2.5)
with tf.GradientTape() as tape:
    final = fill_tank(inflow, hours=4)

sensitivity = tape.gradient(final, inflow)
print("level after 4 hours:", final.numpy(), "sensitivity:", sensitivity)
