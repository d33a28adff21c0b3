import tensorflow as tf

rate = tf.Variable(0.5, name="rate")


def samples():
    yield from ((t, 1.5 * t) for t in (1.0, 2.0, 3.0))


for epoch in range(2):
    with tf.GradientTape() as tape:
        error = tf.zeros([])
        for t, seen in samples():
            error = error + (rate * t - seen) ** 2
    rate.assign_sub(0.01 * tape.gradient(error, rate))
print(rate)
