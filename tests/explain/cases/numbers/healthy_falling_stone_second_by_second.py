import tensorflow as tf


def fallen(time):
    return 4.9 * time**2


for second in [0.0, 1.0, 2.0, 3.0]:
    time = tf.constant(second)
    with tf.GradientTape() as tape:
        tape.watch(time)
        distance = fallen(time)
    speed = tape.gradient(distance, time)
    print(f"after {second} s: {distance:.1f} m, {speed:.1f} m/s")
