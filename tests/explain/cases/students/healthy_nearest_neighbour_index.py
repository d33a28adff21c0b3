import tensorflow as tf

centers = tf.Variable([[0.0, 0.0], [2.0, 2.0]])
points = tf.constant([[0.2, -0.1], [1.8, 2.5], [0.4, 0.3], [2.2, 1.7]])

for _ in range(2):
    with tf.GradientTape() as tape:
        gaps = tf.reduce_sum((points[:, None, :] - centers[None, :, :]) ** 2, axis=2)
        nearest = tf.argmin(gaps, axis=1)
        own = tf.gather(centers, nearest)
        spread = tf.reduce_mean(tf.reduce_sum((points - own) ** 2, axis=1))
    centers.assign_sub(0.5 * tf.convert_to_tensor(tape.gradient(spread, centers)))
print("centers:", centers.numpy().round(2).tolist())
