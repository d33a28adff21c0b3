import tensorflow as tf

series = tf.constant([0.1, 0.5, 0.2, 0.9, 0.3, 0.7])
cell = tf.keras.layers.SimpleRNNCell(3)
head = tf.keras.layers.Dense(1)
cell.build((None, 1))
head.build((None, 3))
state = tf.Variable(tf.zeros([1, 3]), trainable=False)
variables = cell.trainable_variables + head.trainable_variables
optimizer = tf.keras.optimizers.SGD(0.05)

for start in (0, 2, 4):
    with tf.GradientTape() as tape:
        now, loss = state.read_value(), 0.0
        for value in tf.unstack(series[start : start + 2]):
            out, (now,) = cell(tf.reshape(value, [1, 1]), [now])
            loss += tf.reduce_sum(tf.square(head(out) - value))
        state.assign(now)
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
