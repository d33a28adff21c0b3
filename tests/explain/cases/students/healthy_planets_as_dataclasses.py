from dataclasses import dataclass, replace

import tensorflow as tf


@dataclass(frozen=True)
class Body:
    place: tf.Tensor
    speed: tf.Tensor
    time: float = 0.0


def drift(body, dt=0.1):
    pull = -body.place / tf.reduce_sum(body.place**2) ** 1.5
    speed = body.speed + pull * dt
    return replace(body, place=body.place + speed * dt, speed=speed, time=body.time + dt)


push = tf.Variable([0.0, 0.9])
with tf.GradientTape() as tape:
    body = Body(tf.constant([1.0, 0.0]), push * 1.0)
    for _ in range(4):
        body = drift(body)
        if tf.norm(body.place) > 5.0:
            break
    loss = tf.reduce_sum((body.place - [0.8, 0.4]) ** 2)
print(body.time, tape.gradient(loss, push))
