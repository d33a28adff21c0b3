import tensorflow as tf

scale = tf.Variable(2.0)
shift = tf.Variable(0.3, trainable=False)
values = tf.constant([0.4, 1.2, 2.7])

with tf.GradientTape() as tape:
    steps = tf.floor(scale * values)
    moved = steps + shift
    loss = tf.reduce_sum(moved * moved)

print(tape.gradient(loss, {"a_shift": shift, "b_scale": scale}))
