import tensorflow as tf

links = tf.constant([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
strength = tf.Variable([0.5, 2.0, 1.0])
for step in range(2):
    with tf.GradientTape() as tape:
        weighted = links * strength
        scale = tf.reduce_sum(weighted, axis=1) ** -0.5
        loss = tf.reduce_sum((scale[:, None] * weighted - 1.0) ** 2)
    gradient = tape.gradient(loss, strength)
    print(step, gradient)
