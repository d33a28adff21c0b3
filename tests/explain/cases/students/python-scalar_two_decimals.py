import tensorflow as tf

rate = tf.Variable(0.0377)

with tf.GradientTape() as tape:
    shown = round(float(rate) * 100, 1)
    interest = 5000.0 * shown / 100.0
    balance = tf.constant(5000.0) + interest

print(f"{shown} %:", balance.numpy(), "grad:", tape.gradient(balance, rate))
