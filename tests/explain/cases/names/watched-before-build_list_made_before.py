import tensorflow as tf

tf.keras.utils.set_random_seed(57)
head = tf.keras.layers.Dense(2)
learned = head.trainable_variables
x = tf.constant([[1.0, -1.0, 0.5]])

with tf.GradientTape(watch_accessed_variables=False) as tape:
    for variable in learned:
        tape.watch(variable)
    loss = tf.reduce_sum(tf.square(head(x)))
print(tape.gradient(loss, [head.kernel, head.bias]))
