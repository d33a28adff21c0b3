import tensorflow as tf

knots = [tf.Variable(v) for v in (0.3, 0.9, 1.4)]

with tf.GradientTape() as tape:
    loss = 0.0
    for knot, goal in zip(knots, (0.0, 1.0, 2.0)):
        loss = (knot - goal) ** 2

print("loss:", loss.numpy(), "grads:", tape.gradient(loss, knots))
