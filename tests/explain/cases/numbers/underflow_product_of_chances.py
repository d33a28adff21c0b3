import numpy as np
import tensorflow as tf

flips = tf.constant((np.random.RandomState(1).rand(300) < 0.3).astype("float32"))
heads = tf.Variable(0.6)

for step in range(3):
    with tf.GradientTape() as tape:
        chances = flips * heads + (1.0 - flips) * (1.0 - heads)
        together = tf.reduce_prod(chances)
        loss = -tf.math.log(together)
    gradient = tape.gradient(loss, heads)
    heads.assign_sub(0.0001 * gradient)
    print(step, loss.numpy(), heads.numpy())
