import tensorflow as tf

rates = tf.Variable([0.9, 0.8, 0.95])
with tf.GradientTape() as tape:
    survived = tf.reduce_prod(rates)
    loss = -tf.math.log(survived)
print(loss.numpy(), tape.gradient(loss, rates).numpy())
