import tensorflow as tf

price = tf.Variable(19.6)
cost = 8.0

with tf.GradientTape() as tape:
    sold = tf.round(1000.0 / price)
    cash = sold * cost

print("cash", cash.numpy())
print("per price", tape.gradient(cash, price, unconnected_gradients="zero").numpy())
