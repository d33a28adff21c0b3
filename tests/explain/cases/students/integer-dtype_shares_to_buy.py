import tensorflow as tf


def make_orders(*amounts):
    return tf.Variable(amounts)


orders = make_orders(3, 1, 2)
prices = tf.constant([10.0, 25.0, 4.0])
with tf.GradientTape() as tape:
    bill = tf.reduce_sum(tf.cast(orders, tf.float32) * prices)
print(tape.gradient(bill, orders))
