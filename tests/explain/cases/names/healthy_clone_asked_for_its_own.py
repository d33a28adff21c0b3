import copy

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(1)])
trial = tf.keras.models.clone_model(model)
trial.set_weights(model.get_weights())
start = tf.Variable([1.0, 2.0], name="start")
best = copy.deepcopy(start)
x = tf.constant([[1.0, 2.0], [0.5, 1.0]])
with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_mean((trial(x) - model(x) - 1.0) ** 2)
    cost = tf.reduce_sum(best**3)
print(tape.gradient(loss, trial.trainable_variables))
print(tape.gradient(loss, model.trainable_variables))
print(tape.gradient(cost, best))
