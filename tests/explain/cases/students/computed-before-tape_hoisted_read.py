import tensorflow as tf

stiffness = tf.Variable(4.0)
k = stiffness.read_value()
length = tf.constant([1.0, 1.2, 0.9])

for step in range(2):
    with tf.GradientTape() as tape:
        force = -k * (length - 1.0)
        work = tf.reduce_sum(force**2)
    print(step, tape.gradient(work, stiffness))
