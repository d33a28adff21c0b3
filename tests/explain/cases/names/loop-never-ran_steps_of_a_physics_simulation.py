import tensorflow as tf

speed = tf.Variable(3.0)
drag = tf.Variable(0.2)
dt = 0.5
end = 0.4

with tf.GradientTape() as tape:
    position = tf.constant(0.0)
    velocity = speed
    for _ in range(int(end / dt)):
        position = position + velocity * dt
        velocity = velocity - drag * velocity * dt
    height = position * 2.0
print([g for g in tape.gradient(height, [speed, drag])])
