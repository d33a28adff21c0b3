import tensorflow as tf


def first_model():
    w = tf.Variable(0.5, name="w")
    return w, lambda x: w * x


def second_model():
    w = tf.Variable(0.5, name="w")
    return w, lambda x: w + x


(w1, one), (w2, two) = first_model(), second_model()
with tf.GradientTape() as tape:
    y = one(2.0) * two(3.0)
print(tape.gradient(y, [w1, w2]))
