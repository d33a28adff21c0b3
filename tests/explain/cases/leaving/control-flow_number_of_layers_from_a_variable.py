import tensorflow as tf

gain = tf.Variable(0.9)
depth = tf.Variable(3.4)
signal = tf.constant(1.0)

with tf.GradientTape() as tape:
    for layer in range(int(depth)):
        signal = signal * gain
        print(f"after layer {layer} of {int(depth)}: {float(signal):.3f}")
    loss = tf.square(signal - 0.2)

print(tape.gradient(loss, [gain, depth]))
