import tensorflow as tf

tf.random.set_seed(5)
habits = tf.Variable([[0.2, -0.1, 0.4], [0.0, 0.3, -0.2]])
prices = tf.constant([1.0, 3.0, 2.0])
with tf.GradientTape() as tape:
    letters = tf.random.categorical(habits, 1)[:, 0]
    drawn = tf.one_hot(letters, 3)
    cost = tf.reduce_sum(drawn * prices)
gradient = tape.gradient(cost, habits)
print(gradient)
