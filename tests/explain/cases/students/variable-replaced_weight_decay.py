import tensorflow as tf

w = tf.Variable([2.0, -3.0])

for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.abs(w - [1.0, 1.0]))
    grad = tape.gradient(loss, w)
    print("epoch", epoch, "grad", grad)
    if grad is not None:
        w.assign_sub(0.1 * grad)
        w = w * 0.99
