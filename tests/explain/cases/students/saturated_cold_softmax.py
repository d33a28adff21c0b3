import tensorflow as tf

scores = tf.Variable([1.0, 2.0, 4.0])
rewards = tf.constant([5.0, 1.0, 0.0])
temperature = 0.005

with tf.GradientTape() as tape:
    choice = tf.nn.softmax(scores / temperature)
    expected = tf.reduce_sum(choice * rewards)

print("choice:", choice.numpy(), "grad:", tape.gradient(expected, scores).numpy())
