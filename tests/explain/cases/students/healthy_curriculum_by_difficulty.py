import tensorflow as tf

w = tf.Variable([0.1, 0.9])
samples = [([1.0, 2.0], 1.0), ([0.5, -1.0], 0.0), ([2.0, 0.2], 3.0)]


def loss_of(sample):
    x, y = sample
    return tf.square(tf.reduce_sum(w * x) - y)


for keep in (1, 2):
    easy_first = sorted(samples, key=lambda sample: float(loss_of(sample)))
    with tf.GradientTape() as tape:
        losses = [loss_of(sample) for sample in easy_first[:keep]]
        loss = tf.add_n(losses) / len(losses)
        worst = max(losses)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    print(keep, float(loss), "worst", float(worst))
