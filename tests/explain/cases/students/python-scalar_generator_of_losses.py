import tensorflow as tf

rate = tf.Variable(0.2)
demand = [1.0, 0.7, 0.4]


def costs(rate):
    stock = tf.constant(2.0)
    for amount in demand:
        stock = stock * (1.0 - rate) - amount
        yield float(stock**2)


with tf.GradientTape() as tape:
    total = tf.constant(sum(costs(rate)), dtype=tf.float32)
slope = tape.gradient(total, rate)
print("total", total.numpy(), "slope", slope)
