"""A weight in large units grows a thousandfold and then rests: large is not diverged."""
import tensorflow as tf

load = tf.Variable(1.0)
for step in range(6):
    with tf.GradientTape() as tape:
        loss = tf.square(load / 1000.0 - 3.0)
    gradient = tape.gradient(loss, load)
    load.assign_sub(400000.0 * gradient)
print(load.numpy())
