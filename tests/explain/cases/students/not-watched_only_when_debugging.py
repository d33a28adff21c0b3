import tensorflow as tf

DEBUG = False


def explain_score(scorer, sample):
    with tf.GradientTape() as tape:
        if DEBUG:
            tape.watch(sample)
        score = scorer(sample)
    return tape.gradient(score, sample)


sample = tf.constant([0.2, 0.9, 0.4])
print(explain_score(lambda s: tf.reduce_sum(s**2 * [1.0, 2.0, 3.0]), sample))
