import tensorflow as tf

flow = tf.Variable([0.0, 1.0, 4.0])

with tf.GradientTape() as tape:
    head = flow**0.5
    pressure = tf.reduce_sum(2.0 * head)

print("pressure:", pressure.numpy(), "grad:", tape.gradient(pressure, flow).numpy())
