import tensorflow as tf

prices = tf.Variable([2.0, 5.0])
with tf.GradientTape(persistent=True) as tape:
    revenue = tf.reduce_sum(prices * (10.0 - prices))

for i in range(2):
    print(i, tape.gradient(revenue, prices[i]))
