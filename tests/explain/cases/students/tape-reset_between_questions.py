import tensorflow as tf

width = tf.Variable(3.0)
height = tf.Variable(2.0)

with tf.GradientTape(persistent=True) as tape:
    area = width * height
    print("d area:", [g.numpy() for g in tape.gradient(area, [width, height])])
    tape.reset()
    price = 12.0 * area + 5.0
    bill = price * 1.19

print("d bill:", tape.gradient(bill, [width, height]))
