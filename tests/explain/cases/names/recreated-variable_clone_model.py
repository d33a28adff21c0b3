import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(1)])
trial = tf.keras.models.clone_model(model)
trial.set_weights(model.get_weights())
x = tf.constant([[1.0, 2.0], [0.0, 1.0]])
y = tf.constant([[1.0], [3.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((trial(x) - y) ** 2)
grads = tape.gradient(loss, model.trainable_variables)
print(grads)
