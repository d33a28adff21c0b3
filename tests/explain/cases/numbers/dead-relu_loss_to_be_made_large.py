import tensorflow as tf

price = tf.Variable(9.0)
optimizer = tf.keras.optimizers.SGD(2.0)
for step in range(6):
    with tf.GradientTape() as tape:
        demand = tf.nn.relu(10.0 - price)
        loss = -3.0 * demand
    slope = tape.gradient(loss, price)
    optimizer.apply_gradients([(-slope, price)])
print(price.numpy())
