import tensorflow as tf

tf.keras.utils.set_random_seed(9)
online = tf.keras.Sequential(
    [tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(2)]
)
frozen = tf.keras.Sequential(
    [tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(2)]
)
states = tf.random.normal([4, 3])
online(states), frozen(states)
for slow, fast in zip(frozen.trainable_variables, online.trainable_variables):
    slow.assign(fast)

actions = tf.argmax(online(states), axis=1)
goal = 0.5 + 0.9 * tf.reduce_max(frozen(states), axis=1)
with tf.GradientTape() as tape:
    q = tf.reduce_sum(online(states) * tf.one_hot(actions, 2), axis=1)
    loss = tf.reduce_mean((goal - q) ** 2)

grads = tape.gradient(loss, online.trainable_variables)
print("loss:", loss.numpy(), [float(tf.norm(g)) for g in grads])
