import tensorflow as tf

bonus = tf.Variable(0.2)
base = tf.Variable(10.0)
sales = tf.constant([3.0, 7.0, 5.0])

with tf.GradientTape() as tape:
    reached = sales > 100.0
    pay = tf.where(reached, base + bonus * sales, base)
    payroll = tf.reduce_sum(pay)

print(payroll.numpy(), [g.numpy() for g in tape.gradient(payroll, [bonus, base])])
