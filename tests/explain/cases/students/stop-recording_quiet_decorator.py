import functools

import tensorflow as tf

tapes = []


def unrecorded(function):
    @functools.wraps(function)
    def wrapped(*args):
        with tapes[-1].stop_recording():
            return function(*args)

    return wrapped


@unrecorded
def drag(speed):
    return 0.5 * 1.2 * speed**2


speed = tf.Variable(3.0)
with tf.GradientTape() as tape:
    tapes.append(tape)
    power = drag(speed) * 2.0
print(tape.gradient(power, speed))
