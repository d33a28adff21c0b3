import tensorflow as tf

temperature = tf.Variable(300.0)


class Reactor:
    def __init__(self, temperature):
        self.rate = tf.Variable(lambda: tf.exp(-1000.0 / temperature))

    def output(self, hours):
        return hours * self.rate


with tf.GradientTape() as tape:
    product = Reactor(temperature).output(hours=8.0)

print("product:", product.numpy(), "grad:", tape.gradient(product, temperature))
