import tensorflow as tf

load = tf.Variable(2.0)
position = tf.Variable(0.7)


def moment(position):
    return load * (1.0 - position) + 0.5 * position


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        bending = moment(position)
    shear = inner.gradient(bending, position)
print("curvature:", outer.gradient(shear, position))
