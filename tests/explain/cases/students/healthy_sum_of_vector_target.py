import tensorflow as tf

grid = tf.linspace(0.0, 1.0, 6)


@tf.function
def wave(t, frequency):
    return tf.sin(6.0 * frequency * t) * tf.exp(-t)


frequency = tf.Variable(1.3)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(grid)
    y = wave(grid, frequency)

per_point = tape.gradient(y, grid)
per_frequency = tape.gradient(y, frequency)
print(per_point.numpy().round(2), float(per_frequency), "peak at", int(tf.argmax(y)))
