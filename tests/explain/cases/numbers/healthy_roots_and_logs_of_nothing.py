import tensorflow as tf

rows = tf.Variable([[3.0, 4.0], [0.0, 0.0]])
votes = tf.Variable([3.0, 5.0, 0.0])
east = tf.Variable([1.0, 0.0])
north = tf.Variable([1.0, 0.0])

with tf.GradientTape() as tape:
    lengths = tf.sqrt(tf.reduce_sum(rows**2, axis=1) + 1e-12)
    p = votes / tf.reduce_sum(votes)
    entropy = -tf.reduce_sum(tf.math.xlogy(p, p))
    nowhere = (east == 0.0) & (north == 0.0)
    heading = tf.atan2(north, tf.where(nowhere, 1.0, east))
    loss = tf.reduce_sum(lengths) + entropy + tf.reduce_sum(tf.sin(heading))
for grad in tape.gradient(loss, [rows, votes, east, north]):
    print(grad.numpy())
