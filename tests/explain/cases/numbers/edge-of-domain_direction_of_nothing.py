import tensorflow as tf

east = tf.Variable([1.0, 0.0, -2.0])
north = tf.Variable([1.0, 0.0, 0.5])
with tf.GradientTape() as tape:
    heading = tf.atan2(north, east)
    turn = tf.reduce_sum(tf.cos(heading))
g_east, g_north = tape.gradient(turn, [east, north])
print(g_east.numpy(), g_north.numpy())
