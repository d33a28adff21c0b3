import tensorflow as tf

volatility = tf.Variable(0.2)
years = tf.constant([1.0, 0.5, 0.0])


def moneyness(ratio):
    spread = volatility * years
    return tf.where(years > 0.0, tf.math.log(ratio) / spread, 0.0)


with tf.GradientTape() as tape:
    total = tf.reduce_sum(moneyness(tf.constant([1.1, 0.9, 1.2])))
print(total.numpy(), tape.gradient(total, volatility))
