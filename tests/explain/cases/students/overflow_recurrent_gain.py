import tensorflow as tf

gain = tf.Variable([[4.0, 3.0], [2.0, 5.0]])
state = tf.ones([1, 2])

with tf.GradientTape() as tape:
    for _ in range(60):
        state = tf.matmul(state, gain)
    loss = tf.reduce_mean(tf.square(state))

print("state:", state.numpy(), "grad:", tape.gradient(loss, gain).numpy())
