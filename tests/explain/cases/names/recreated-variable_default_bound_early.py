import tensorflow as tf

w = tf.Variable(1.0)


def model(x, w=w):
    return tf.sin(w * x)


w = tf.Variable(2.0)  # a better start
with tf.GradientTape() as tape:
    y = model(0.7)
print(tape.gradient(y, w))
