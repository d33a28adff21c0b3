import tensorflow as tf

litres = tf.Variable(12.7)
per_litre = tf.Variable(1.8)

with tf.GradientTape() as tape:
    sold = int(litres)
    revenue = sold * per_litre

by_litres, by_price = tape.gradient(revenue, [litres, per_litre])
print("revenue:", revenue.numpy(), by_litres, by_price)
