import tensorflow as tf

size = tf.Variable(7.8)
price = tf.Variable(2.0)

with tf.GradientTape() as tape:
    boxes = int(size / 2.0)
    bill = price * boxes

print("bill:", bill.numpy(), tape.gradient(bill, {"a_size": size, "b_price": price}))
