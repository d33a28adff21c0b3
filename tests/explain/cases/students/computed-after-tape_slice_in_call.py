import tensorflow as tf

x = tf.Variable([[0.5, 1.0]])
with tf.GradientTape(persistent=True) as tape:
    y = tf.concat([x**2, tf.exp(x)], axis=1)

print("whole:", tape.gradient(y, x).numpy())
print("second column:", tape.gradient(y[:, 1], x))
