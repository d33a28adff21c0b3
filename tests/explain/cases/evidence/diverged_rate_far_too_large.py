"""Steps so large that the weight leaves the numbers."""
import tensorflow as tf

w = tf.Variable(1.0)
for step in range(12):
    with tf.GradientTape() as tape:
        loss = (w**2 - 1.5) ** 2
    gradient = tape.gradient(loss, w)
    w.assign_sub(5.0 * gradient)
print(w.numpy(), gradient.numpy())
