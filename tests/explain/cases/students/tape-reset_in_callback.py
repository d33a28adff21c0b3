import tensorflow as tf

thrust = tf.Variable(12.0)


def log(step, tape, height):
    print("step", step, "height", height.numpy())
    if step == 2:
        tape.reset()


with tf.GradientTape() as tape:
    height, speed = tf.constant(0.0), tf.constant(0.0)
    for step in range(3):
        speed = speed + 0.1 * (thrust - 9.8)
        height = height + 0.1 * speed
        log(step, tape, height)
    miss = tf.abs(height - 1.0)

print("grad:", tape.gradient(miss, thrust))
