import tensorflow as tf

tf.keras.utils.set_random_seed(31)
made = []


def forward(x):
    dense = tf.keras.layers.Dense(2, activation="tanh")
    made.append(dense)
    return dense(x)


x = tf.constant([[0.2, 0.4, -0.6]])
forward(x)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(forward(x) ** 2)
print(tape.gradient(loss, made[0].trainable_variables))
