import tensorflow as tf


def run(gain, signal):
    state = 0.5
    for s in signal:
        state = tf.tanh(gain * (state + s))
    return state


gain = tf.Variable(60.0)
with tf.GradientTape() as tape:
    last = run(gain, [1.0, 2.0, 1.5])
    loss = (last - 0.3) ** 2

print("last:", last.numpy(), "grad:", tape.gradient(loss, gain).numpy())
