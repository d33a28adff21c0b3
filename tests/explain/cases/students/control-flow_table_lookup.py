import tensorflow as tf

speed = tf.Variable(2.2)
fuel_table = [4.0, 4.8, 6.1, 8.3, 11.0]

with tf.GradientTape() as tape:
    litres = fuel_table[int(speed)]
    cost = tf.constant(litres) * 1.7

print("cost:", cost.numpy(), "per speed:", tape.gradient(cost, speed))
