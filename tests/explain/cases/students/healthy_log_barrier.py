import tensorflow as tf

x = tf.Variable([0.5, 0.5])
strength = 1.0
for _ in range(4):
    with tf.GradientTape() as tape:
        slack = tf.stack([x[0], x[1], 2.0 - x[0] - x[1]])
        if tf.reduce_any(slack <= 0.0):
            raise ValueError("outside")
        cost = tf.reduce_sum((x - 3.0) ** 2) - strength * tf.reduce_sum(tf.math.log(slack))
    slope = tape.gradient(cost, x)
    step = 0.1
    while tf.reduce_min(x - step * slope) <= 0.0 or tf.reduce_sum(x - step * slope) >= 2.0:
        step *= 0.5
    x.assign_sub(step * slope)
    strength *= 0.5
print(x.numpy(), step)
