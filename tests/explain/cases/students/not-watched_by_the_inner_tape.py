import tensorflow as tf

t = tf.constant(0.7)

with tf.GradientTape() as outer:
    outer.watch(t)
    with tf.GradientTape() as inner:
        position = tf.exp(-t) * tf.cos(3.0 * t)
    velocity = inner.gradient(position, t)

print("position:", position.numpy(), "velocity:", velocity)
