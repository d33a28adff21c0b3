"""Which growth rate takes the population to its size of today?"""

import tensorflow as tf

rate = tf.Variable(0.2)
start = tf.Variable(1.0)
measured = 5.0

with tf.GradientTape() as tape:
    population = start
    for year in range(100):
        population = population * (1.0 + rate)
    loss = tf.square(population - measured)
d_rate, d_start = tape.gradient(loss, [rate, start])
print(float(d_rate), float(d_start))
