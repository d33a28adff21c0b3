import tensorflow as tf


def height(place):
    return tf.exp(-tf.reduce_sum(place**2))


def uphill(place):
    with tf.GradientTape() as tape:
        tape.watch(place)
        h = height(place)
    return tape.gradient(h, place)


grid = [(x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)]
arrows = {at: uphill(tf.constant(at)).numpy() for at in grid}
for at, arrow in arrows.items():
    print(at, arrow)
