import tensorflow as tf

w = tf.Variable(3.0)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.square(w - 1.0)
    slope = tape.gradient(loss, w)
    w = w.assign_sub(0.2 * slope)
    print(step, loss.numpy(), w.numpy())
