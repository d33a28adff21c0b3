import tensorflow as tf

price = tf.Variable(4.3567)

with tf.GradientTape() as tape:
    shown = float(f"{price.numpy():.2f}")
    customers = 200.0 - 30.0 * tf.constant(shown)
    income = customers * shown

print("income:", income.numpy(), "slope:", tape.gradient(income, price))
