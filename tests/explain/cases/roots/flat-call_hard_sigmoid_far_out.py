import tensorflow as tf

gain = tf.Variable(12.0)
x = tf.constant([1.0, -2.0, 3.0])
with tf.GradientTape() as tape:
    gate = tf.keras.activations.hard_sigmoid(gain * x)
    loss = tf.reduce_sum((gate - 0.5) ** 2)
print(loss.numpy(), tape.gradient(loss, gain).numpy())
