import tensorflow as tf

variables = [tf.Variable(1.0), tf.Variable([2.0, 3.0])]
values = [tf.convert_to_tensor(v) for v in variables]

with tf.GradientTape() as tape:
    total = variables[0] * tf.reduce_sum(variables[1] ** 2)

for grad in tape.gradient(total, values):
    print(grad)
