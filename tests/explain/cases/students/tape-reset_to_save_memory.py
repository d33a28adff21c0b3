import tensorflow as tf

decay = tf.Variable(0.9)
state = tf.constant(1.0)

with tf.GradientTape() as tape:
    for step in range(6):
        state = state * decay + 0.1
        if step % 3 == 2:
            tape.reset()
    loss = (state - 2.0) ** 2

grad = tape.gradient(loss, decay)
print("state:", state.numpy(), "grad:", grad)
