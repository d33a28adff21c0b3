import tensorflow as tf

mean = tf.Variable(2.0, name="mean")
slope = tf.Variable(1.0, name="slope")
heights = tf.constant([1.0, 2.0, 3.0, 4.0])


def centred(values):
    return values - mean


def dataset(values):
    rows = centred(values)
    return tf.data.Dataset.from_tensor_slices((rows, values)).batch(2)


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((slope * x - y) ** 2)
    return tape.gradient(loss, [slope, mean])


for x, y in dataset(heights):
    print(step(x, y))
