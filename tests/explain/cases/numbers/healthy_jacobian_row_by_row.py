import tensorflow as tf

kernel = tf.constant([[0.5, -1.0, 0.3], [-0.2, -0.4, 0.8]])
x = tf.Variable([1.0, 0.5])

with tf.GradientTape(persistent=True) as tape:
    hidden = tf.nn.relu(tf.linalg.matvec(kernel, x, transpose_a=True))
    units = tf.unstack(hidden)

rows = [tape.gradient(unit, x).numpy() for unit in units]
del tape
for row in rows:
    print(row)
