import tensorflow as tf

position = tf.Variable([1.0, -2.0])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.8)
history = []
for step in range(20):
    with tf.GradientTape() as tape:
        energy = tf.reduce_sum(2.0 * tf.square(position - 0.5))
    gradient = tape.gradient(energy, position)
    optimizer.apply_gradients([(gradient, position)])
    history.append(float(energy))
