from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Result:
    score: float
    size: int


w = tf.Variable(1.4)


def trial(x):
    return Result(score=float(tf.exp(-w * x)), size=1)


with tf.GradientTape() as tape:
    trials = [trial(x) for x in (0.5, 1.0, 2.0)]
    mean = sum(t.score for t in trials) / len(trials)
    loss = tf.math.log(mean)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, w))
