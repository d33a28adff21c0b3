import tensorflow as tf


class Pricing:
    def __init__(self, start):
        self.start = start

    def elasticity(self):
        return tf.Variable(self.start, name="elasticity")

    def demand(self, price):
        return tf.exp(-self.elasticity() * price)


pricing = Pricing(0.7)
prices = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    revenue = tf.reduce_sum(prices * pricing.demand(prices))
print(tape.gradient(revenue, pricing.elasticity()))
