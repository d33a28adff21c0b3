import tensorflow as tf

tf.keras.utils.set_random_seed(60)
cell = tf.keras.layers.SimpleRNNCell(20)
head = tf.keras.layers.Dense(5)
variables = None
for step in range(3):
    xs = tf.random.normal([20, 10, 5])
    with tf.GradientTape() as tape:
        state = [tf.zeros([10, 20])]
        loss = 0.0
        for x in xs:
            out, state = cell(x, state)
            loss += tf.reduce_mean((head(out) - x) ** 2)
    variables = cell.trainable_variables + head.trainable_variables
    gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
    for v, g in zip(variables, gradients):
        v.assign_sub(0.05 * g)
