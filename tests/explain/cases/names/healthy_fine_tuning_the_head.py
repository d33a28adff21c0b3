import tensorflow as tf

tf.keras.utils.set_random_seed(58)
base = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization()])
base.trainable = False
head = tf.keras.layers.Dense(1)
model = tf.keras.Sequential([base, head])
x, y = tf.random.normal([6, 3]), tf.random.normal([6, 1])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    for variable, gradient in zip(model.trainable_variables, grads):
        variable.assign_sub(0.1 * gradient)
print(loss)
