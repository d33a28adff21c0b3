import tensorflow as tf

coarse = tf.Variable(0.5)
fine = tf.Variable(2.0)
x = tf.constant([1.0, 4.0])
outputs = {}

with tf.GradientTape() as tape:
    outputs["scale"] = tf.reduce_sum(coarse * x)
    outputs["scale"] = tf.reduce_sum(fine * tf.sqrt(x))
    loss = tf.add_n(list(outputs.values())) ** 2

print("loss:", loss.numpy(), tape.gradient(loss, [coarse, fine]))
