import tensorflow as tf

x = tf.Variable(1.0)
rate = 2.5

for step in range(8):
    with tf.GradientTape() as tape:
        loss = 0.5 * x**4 + x**2
    slope = tape.gradient(loss, x)
    x.assign_sub(rate * slope)
    print(step, loss.numpy(), slope.numpy())
