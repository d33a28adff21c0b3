import tensorflow as tf

rain = tf.constant(2.0)
yield_per_rain = tf.Variable(1.5)

with tf.GradientTape() as tape:
    damage = 0.3 * rain * rain
    harvest = yield_per_rain * rain
    tape.watch(rain)
    profit = harvest - damage

d_rain = tape.gradient(profit, rain)
print("profit:", profit.numpy(), "d profit / d rain:", d_rain.numpy())
