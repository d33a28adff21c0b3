import tensorflow as tf

tf.keras.utils.set_random_seed(4)
online = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(2)])
target = tf.keras.models.clone_model(online)
target.set_weights(online.get_weights())
state = tf.constant([[0.1, 0.2, 0.3], [1.0, 0.0, -1.0]])
reward = tf.constant([1.0, 0.0])
for step in range(3):
    with tf.GradientTape() as tape:
        wanted = reward + 0.9 * tf.reduce_max(target(state + 0.5), axis=1)
        chosen = tf.gather(online(state), tf.constant([0, 1]), axis=1, batch_dims=1)
        loss = tf.reduce_mean(tf.square(wanted - chosen))
    grads = tape.gradient(loss, online.trainable_variables)
    for variable, gradient in zip(online.trainable_variables, grads):
        variable.assign_sub(0.1 * gradient)
    for slow, fast in zip(target.variables, online.variables):
        slow.assign(0.9 * slow + 0.1 * fast)
print(loss)
