import tensorflow as tf

duration = tf.Variable(1.37)
decay = tf.Variable(0.8)
dt = 0.25

with tf.GradientTape() as tape:
    n = int(duration / dt)
    level = tf.constant(1.0)
    for _ in range(n):
        level = level - dt * decay * level
    rest = duration - n * dt
    level = level - rest * decay * level

print("steps:", n, [g.numpy() for g in tape.gradient(level, [duration, decay])])
