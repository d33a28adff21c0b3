import tensorflow as tf

tf.keras.utils.set_random_seed(0)
generator = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(2)])
critic = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
real = tf.random.normal([6, 2]) + 2.0
noise = tf.random.normal([6, 3])
critic(generator(noise))
first = generator.layers[0].kernel

fake = generator(noise)
with tf.GradientTape() as c_tape:
    c_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
for v, g in zip(critic.trainable_variables, c_tape.gradient(c_loss, critic.trainable_variables)):
    if g is not None:
        v.assign_sub(0.05 * g)

with tf.GradientTape() as g_tape:
    g_loss = -tf.reduce_mean(critic(fake))
print(g_tape.gradient(g_loss, first))
