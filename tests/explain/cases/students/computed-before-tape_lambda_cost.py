import tensorflow as tf


def minimise(loss_function, variables, steps):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_function()
        grads = tape.gradient(loss, variables)
        print("loss", loss.numpy(), "grads", grads)


a = tf.Variable(1.0)
b = tf.Variable(-2.0)
cost = (a - 3.0) ** 2 + (b + 1.0) ** 2
minimise(lambda: cost, [a, b], steps=1)
