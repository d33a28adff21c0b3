import tensorflow as tf

share = tf.Variable(0.9)
returns = tf.constant([0.3, -2.4, 0.1])
with tf.GradientTape() as tape:
    wealth = 1.0 + share * returns
    utility = tf.reduce_mean(wealth**0.5)
print(tape.gradient(utility, share).numpy())
