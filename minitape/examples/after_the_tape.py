"""Lost: the objective is computed after the tape has closed."""

import tensorflow as tf

price = tf.Variable(12.0)

with tf.GradientTape() as tape:
    demand = 100.0 * tf.exp(-0.1 * price)
    profit = (price - 4.0) * demand
objective = -profit

print("slope =", tape.gradient(objective, price))
