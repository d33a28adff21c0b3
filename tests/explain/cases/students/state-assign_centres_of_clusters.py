import tensorflow as tf

points = tf.Variable([[0.0, 0.1], [1.9, 2.0], [0.2, 0.0]])
centres = [tf.Variable([0.0, 0.0], trainable=False) for _ in range(2)]
members = [[0, 2], [1]]

with tf.GradientTape() as tape:
    for centre, own in zip(centres, members):
        centre.assign(tf.reduce_mean(tf.gather(points, own), axis=0))
    gap = centres[1] - centres[0]
    distance = tf.reduce_sum(gap * gap)

print("distance:", distance.numpy(), "grad:", tape.gradient(distance, points))
