import tensorflow as tf

field = tf.constant([[0.0, 1.0, 2.0], [1.0, 3.0, 5.0], [2.0, 5.0, 9.0]])
place = tf.Variable([0.4, 1.7])

with tf.GradientTape() as tape:
    corner = tf.cast(place, tf.int32)
    row, column = int(corner[0]), int(corner[1])
    share = place - tf.cast(corner, tf.float32)
    top = field[row, column] * (1.0 - share[1]) + field[row, column + 1] * share[1]
    bottom = field[row + 1, column] * (1.0 - share[1]) + field[row + 1, column + 1] * share[1]
    value = top * (1.0 - share[0]) + bottom * share[0]

print(value.numpy(), tape.gradient(value, place).numpy())
