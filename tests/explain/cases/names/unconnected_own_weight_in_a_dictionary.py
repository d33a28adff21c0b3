import tensorflow as tf

state = {}


def fit(x, y):
    state["w"] = tf.Variable(0.1)
    with tf.GradientTape() as tape:
        loss = (state["w"] * x - y) ** 2
    return tape.gradient(loss, start)


start = None
for x, y in [(1.0, 2.0), (3.0, 1.0)]:
    if start is None:
        start = tf.Variable(0.1)
    print(fit(tf.constant(x), tf.constant(y)))
