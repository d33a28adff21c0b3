from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Ball:
    height: tf.Variable
    speed: tf.Variable
    bounce: tf.Variable


def fall(ball, steps, dt=0.05):
    y, v = ball.height, ball.speed
    for _ in range(steps):
        v = v - 9.81 * dt
        y = y + v * dt
        if y < 0.0:
            v = -ball.bounce * v
    return y


ball = Ball(*(tf.Variable(number) for number in (2.0, 0.5, 0.8)))
with tf.GradientTape() as tape:
    miss = (fall(ball, steps=18) - 1.0) ** 2
print(tape.gradient(miss, [ball.height, ball.speed, ball.bounce]))
