import tensorflow as tf

h = tf.Variable(0.5)

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        growth = tf.exp(2.0 * h)
    with outer.stop_recording():
        rate = inner.gradient(growth, h)
    scaled = 3.0 * rate

print("rate:", rate.numpy(), "acceleration:", outer.gradient(scaled, h))
