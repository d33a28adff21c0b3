import tensorflow as tf


def bill(amount, price):
    boxes = round(float(amount))  # whole boxes have no slope
    discount = 0.5 * float(amount)
    loose = amount - boxes
    return price * boxes + 2.0 * price * loose + discount * price * loose


amount = tf.Variable(4.3)
price = tf.constant(1.0)
with tf.GradientTape() as tape:
    cost = bill(amount, price) + 0.5 * amount

print(cost.numpy(), tape.gradient(cost, amount).numpy())
