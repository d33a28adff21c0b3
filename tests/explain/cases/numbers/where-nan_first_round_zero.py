import tensorflow as tf

force = tf.Variable([0.0, 0.0])
sizes = [tf.constant([2.0, 3.0]), tf.constant([0.0, 3.0]), tf.constant([1.0, 0.0])]

for limit, size in zip((9.0, 0.0, 0.0), sizes):
    with tf.GradientTape() as tape:
        weight = size + 0.0 * force
        pull = tf.where(weight > limit, (force + 1.0) / weight, 0.0)
        loss = tf.reduce_sum(pull**2)

    slope = tape.gradient(loss, force)
    force.assign_sub(0.1 * slope)
    print(float(loss), slope.numpy())
