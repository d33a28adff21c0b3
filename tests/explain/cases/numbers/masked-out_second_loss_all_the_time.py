import tensorflow as tf

depth = tf.Variable([0.5, 0.8, 1.1])
flow = tf.Variable([0.1, 0.3, -0.2])
depth_seen = tf.constant([0.6, 0.0, 1.0])
flow_seen = tf.constant([0.2, 0.2, 0.0])
depth_valid = tf.cast(depth_seen > 0.0, tf.float32)
flow_valid = tf.cast(flow_seen > 20.0, tf.float32)


def masked_error(guess, truth, valid):
    return tf.reduce_sum(valid * (guess - truth) ** 2) / (tf.reduce_sum(valid) + 1.0)


for step in range(4):
    for guess, truth, valid in ((depth, depth_seen, depth_valid), (flow, flow_seen, flow_valid)):
        with tf.GradientTape() as tape:
            error = masked_error(guess, truth, valid)
        guess.assign_sub(0.5 * tape.gradient(error, guess))
print(depth.numpy(), flow.numpy())
