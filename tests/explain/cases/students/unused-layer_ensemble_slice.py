import tensorflow as tf

members = [tf.Variable([0.1 * i, 1.0 - 0.1 * i], name=f"member{i}") for i in range(3)]
x = tf.constant([1.0, -2.0])

with tf.GradientTape() as tape:
    votes = [tf.tanh(tf.reduce_sum(member * x)) for member in members]
    mean = tf.add_n(votes[:2]) / 2.0
    loss = (mean - 0.5) ** 2

for member, grad in zip(members, tape.gradient(loss, members)):
    print(member.name, grad)
