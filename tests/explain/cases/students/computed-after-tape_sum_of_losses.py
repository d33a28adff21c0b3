import tensorflow as tf

rate = tf.Variable(0.4)
days = [1.0, 2.0, 4.0, 7.0]
seen = [0.9, 0.6, 0.3, 0.1]

losses = []
with tf.GradientTape() as tape:
    for day, value in zip(days, seen):
        model = tf.exp(-rate * day)
        losses.append(tf.square(model - value))

total = tf.constant(0.0)
for loss in losses:
    total = total + loss

print("total:", total.numpy(), "slope:", tape.gradient(total, rate))
