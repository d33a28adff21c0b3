import tensorflow as tf


def double_well(x):
    return (x**2 - 4.0) ** 2


x = tf.Variable(0.0, name="x")
optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(20):
    with tf.GradientTape() as tape:
        energy = double_well(x)
    grads = tape.gradient(energy, [x])
    optimizer.apply_gradients(zip(grads, [x]))
print("minimum at", x.numpy())
