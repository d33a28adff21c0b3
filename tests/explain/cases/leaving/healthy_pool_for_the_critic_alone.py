import numpy as np
import tensorflow as tf

tf.random.set_seed(3)
generator = tf.Variable(tf.random.normal((2, 2)))
critic = tf.Variable(tf.random.normal((2, 1)))
pool = []

for step in range(3):
    fakes = tf.tanh(tf.random.normal((4, 2)) @ generator)
    for sample in np.array(fakes):
        pool.append(sample)
    with tf.GradientTape() as tape:
        scores = tf.stack(pool[-6:]) @ critic
        real = tf.random.normal((6, 2)) @ critic
        loss = tf.reduce_mean(tf.nn.softplus(scores)) + tf.reduce_mean(tf.nn.softplus(-real))
    critic.assign_sub(0.1 * tape.gradient(loss, critic))
    with tf.GradientTape() as tape:
        fooled = tf.tanh(tf.random.normal((4, 2)) @ generator) @ critic
        loss = tf.reduce_mean(tf.nn.softplus(-fooled))
    generator.assign_sub(0.1 * tape.gradient(loss, generator))
print(generator.numpy())
