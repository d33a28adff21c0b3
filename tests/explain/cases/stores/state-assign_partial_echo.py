import tensorflow as tf

# A sound, and its echo out of a ring buffer two samples later.
gain = tf.Variable(0.8)
sound = [1.0, 2.0, -1.0, 0.5]
ring = tf.Variable(tf.zeros(2), trainable=False)

with tf.GradientTape() as tape:
    heard = 0.0
    for k, sample in enumerate(sound):
        played = gain * sample
        heard += played + 0.5 * ring[k % 2]
        ring[k % 2].assign(played)
    loud = 1.0 * heard

g = tape.gradient(loud, gain)
print(loud.numpy(), g.numpy())
