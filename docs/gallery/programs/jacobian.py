import tensorflow as tf

angles = tf.Variable([0.3, 0.7, -0.4], name="angles")
lengths = tf.constant([1.0, 0.8, 0.5])
with tf.GradientTape() as tape:
    turned = tf.cumsum(angles)
    x = tf.reduce_sum(lengths * tf.cos(turned))
    y = tf.reduce_sum(lengths * tf.sin(turned))
    hand = tf.stack([x, y])
jacobian = tape.jacobian(hand, angles)
